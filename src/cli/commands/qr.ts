import { toString as toText } from "qrcode";
import { pagePath } from "../../contract/routes.ts";
import { QR_CODES } from "../../exchange/export/qr-code.ts";
import { isTerminalDumb, pagesUrl, type Settings } from "../../settings.ts";
import { MakingReader } from "../../store/making-reader.ts";
import { refuseOtherSchema } from "../../store/unavailable.ts";
import { closing, existingDatabase } from "../database.ts";
import { Failure, Misuse, noSuchTree } from "../failure.ts";
import { print, printError, printLines, Styled } from "../output.ts";
import { shellWord } from "../shell-quotes.ts";

type Options = Pick<Settings, "database" | "port" | "host" | "publicUrl"> & { out?: string };

export async function qr(slug: string, options: Options): Promise<void> {
  const { out } = options;
  const kind = /\.(\w+)$/.exec(out ?? "")?.[1]?.toLowerCase() as keyof typeof QR_CODES;
  if (out !== undefined && !Object.hasOwn(QR_CODES, kind))
    throw new Misuse(
      `${out} must end in .svg or .png`,
      `vitrine qr ${shellWord(slug)} --out ${shellWord(`${slug}.svg`)}`,
    );
  if (!(await hasPage(slug, options)))
    throw noSuchTree(`${slug} whose page is on`, "vitrine user show EMAIL");

  const address = addressOf(slug, options);
  if (out === undefined) {
    // Colours of its own make the code readable on a dark terminal too; elsewhere it is plain text.
    const code =
      process.stdout.isTTY && !isTerminalDumb()
        ? await toText(address, { type: "terminal", small: true })
        : await toText(address, { type: "utf8" });
    printLines(
      code
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => [new Styled(line)]),
    );
    print(address);
    return;
  }
  try {
    await Bun.write(out, await QR_CODES[kind](address));
  } catch (error) {
    throw new Failure(`cannot write ${out}: ${(error as Error).message}`, `vitrine qr ${shellWord(slug)}`);
  }
  print(`Wrote ${out}, which leads to ${address}`);
}

async function hasPage(slug: string, { database }: Options): Promise<boolean> {
  const engine = await existingDatabase(database);
  refuseOtherSchema(engine.name, await engine.schemaVersion());
  const reader = new MakingReader(await engine.openReader());
  return closing(reader, async () => (await reader.readPage(slug)) !== null);
}

function addressOf(slug: string, options: Options): string {
  const address = pagesUrl(options) + pagePath(slug);
  if (options.publicUrl) return address;
  printError(`PUBLIC_URL is not set, so the code leads to ${address}, which other machines may not reach.`);
  return address;
}
