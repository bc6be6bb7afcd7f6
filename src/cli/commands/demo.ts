import { parse } from "yaml";
import samplePortrait from "../../../sample/portrait.jpg" with { type: "file" };
import sampleProfile from "../../../sample/profile.yaml" with { type: "text" };
import { picturePath } from "../../contract/pictures.ts";
import { hashKey, mintKey } from "../../keys/key.ts";
import type { Log } from "../../logging/log.ts";
import { checkRecord, type RecordInput } from "../../records/schema.ts";
import { CannotListen } from "../../serving/listening.ts";
import { isBuilt } from "../../serving/own-command.ts";
import { pagesUrl, type Settings, type StudioSettings } from "../../settings.ts";
import { describeDatabase } from "../../store/location.ts";
import { type NewPicture, pictureIn } from "../../store/pictures.ts";
import type { Store } from "../../store/store.ts";
import { closing } from "../database.ts";
import { plural, printLines, styled } from "../output.ts";
import { onDatabase } from "../remedy.ts";
import { serve } from "./serve.ts";
import { linkFor, listeningStudio } from "./studio.ts";

type DemoSettings = Settings & StudioSettings;

/** Says where everything is: the server, and the link into the studio. */
type Greeting = (url: string, studioLink: string) => void;

/**
 * `serve` and the studio for a first look: on an empty database there is a sample profile, and a key to read it with.
 */
export async function demo(settings: DemoSettings): Promise<void> {
  await using opened = new AsyncDisposableStack();
  let greeting: Greeting = () => {};
  await serve(settings, {
    prepare: async (engine) => {
      greeting = await closing(await engine.open(), (store) => furnish(store, settings));
    },
    announce: async (url, log) => {
      const studio = opened.use(await studioBeside(url, settings, log));
      greeting(url, (await linkFor(studio.url, settings.database)).url);
    },
  });
}

/** A studio for the server at an address. Where its port is taken, a first look does with any other. */
async function studioBeside(url: string, settings: DemoSettings, log: Log) {
  const publicUrl = settings.publicUrl || url;
  try {
    return await listeningStudio(settings, publicUrl, log);
  } catch (error) {
    if (!(error instanceof CannotListen) || error.code !== "EADDRINUSE") throw error;
    return listeningStudio({ ...settings, studioPort: 0 }, publicUrl, log);
  }
}

/** Puts the sample profile into an empty database. Returns the words with which a person is greeted. */
async function furnish(store: Store, settings: DemoSettings): Promise<Greeting> {
  const users = await store.records.count();
  if (users > 0) return (url, studioLink) => greetAgain(url, studioLink, settings, users);
  const portrait = pictureIn(await Bun.file(samplePortrait).bytes());
  const sample = sampleRecord(portrait, settings);
  const { email } = sample;
  const key = mintKey();
  await store.records.save([sample]);
  const record = await store.records.find(email);
  if (record && portrait) await store.pictures.put(record.id, portrait);
  await store.keys.create([{ email, hash: hashKey(key), name: "first look", expiresAt: null }]);
  return (url, studioLink) => greet(url, studioLink, settings, email, key);
}

function sampleRecord(portrait: NewPicture | undefined, settings: DemoSettings): RecordInput {
  const sample = parse(sampleProfile as unknown as string);
  // Where the port is any free one, nobody knows the address yet.
  const isAddressKnown = settings.publicUrl !== "" || settings.port !== 0;
  if (portrait && isAddressKnown) sample.profile.avatarUrl.value = pagesUrl(settings) + picturePath(portrait);
  const checked = checkRecord(sample);
  if ("problems" in checked)
    throw new Error(`the sample profile is wrong: ${JSON.stringify(checked.problems)}`);
  return checked.input;
}

/** A command as it is to be typed. npx finds the program in a checkout; elsewhere it would fetch somebody else's. */
function typed(command: string): string {
  return `${isBuilt() ? "" : "npx "}${onDatabase(`vitrine ${command}`)}`;
}

function greet(url: string, studioLink: string, settings: DemoSettings, email: string, key: string): void {
  printLines([
    [],
    [styled("bold", "Vitrine"), " is serving a sample profile at ", styled("cyan", url)],
    [],
    [`  The key of ${email}, shown this once:`],
    [],
    ["    ", styled("bold", key)],
    [],
    ["  Read the whole profile:"],
    [],
    [`    curl -H "Authorization: Bearer ${key}" ${url}/user/full`],
    [],
    [`  Try every request in a browser: ${url}/docs`],
    [`  See a link tree as its visitors do: ${url}/t/mira`],
    ["  Edit all of it in the studio, by a link that works once:"],
    [],
    ["    ", styled("cyan", studioLink)],
    [],
    [`  The data is in ${describeDatabase(settings.database)}. Load your own with: ${typed("import FILE")}`],
    ["  Stop with Ctrl+C."],
    [],
  ]);
}

function greetAgain(url: string, studioLink: string, settings: DemoSettings, users: number): void {
  const database = describeDatabase(settings.database);
  printLines([
    [],
    [
      styled("bold", "Vitrine"),
      ` is serving ${plural(users, "user")} from ${database} at `,
      styled("cyan", url),
    ],
    [],
    ["  Keys made earlier go on working. For another one:"],
    [],
    [`    ${typed("user list")}`],
    [`    ${typed("key create EMAIL")}`],
    [],
    ["  Edit in the studio, by a link that works once:"],
    [],
    ["    ", styled("cyan", studioLink)],
    [],
    ["  Stop with Ctrl+C."],
    [],
  ]);
}
