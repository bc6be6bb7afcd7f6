import { addHook, type HookStatus, shown, testHook } from "../../hooks/owner-hooks.ts";
import { HookRefused } from "../../hooks/refusal.ts";
import { wentWell } from "../../hooks/schedule.ts";
import { timestampOf } from "../../keys/lifetime.ts";
import { isInEnvironment } from "../../settings.ts";
import { type Answer, HOOK_EVENTS, type Hook } from "../../store/hooks.ts";
import type { Store } from "../../store/store.ts";
import { type DatabaseOption, existingUser, withReadOnlyStore, withStore } from "../database.ts";
import { Failure, Misuse, noSuchHook } from "../failure.ts";
import { print, printError, printJson, printTable, showOnce } from "../output.ts";
import { asTyped } from "../remedy.ts";
import { shellWord } from "../shell-quotes.ts";

export interface HookFlags {
  readonly header?: readonly string[];
  readonly body?: string;
  readonly events?: string;
  readonly secret?: true;
  readonly json?: true;
}

interface AddOptions extends DatabaseOption, HookFlags {
  readonly hookPrivate: boolean;
}

export async function add(email: string, url: string, options: AddOptions): Promise<void> {
  const { header: headers = [], body = null, secret: isSigned = false, events = "" } = options;
  await withStore(options.database, async (store) => {
    await existingUser(store, email);
    const names = events.split(",").map((name) => name.trim());
    const wanted = { email, url, headers, body, isSigned, events: names.filter(Boolean) };
    const hook = await addHook(store.hooks, wanted, options.hookPrivate).catch(refused);
    const show = () => printAdded(hook, options.json);
    // A hook whose secret nobody can have seen could be verified by nobody.
    const remove = () => store.hooks.remove(hook.id);
    if (hook.secret === null) show();
    else await showOnce(show, remove, "the secret could not be printed, and the hook is removed");
    const flag = options.hookPrivate && !isInEnvironment("HOOK_PRIVATE") ? " --hook-private 1" : "";
    const test = asTyped(`vitrine hook test ${hook.id}${flag}`);
    if (!options.json) printError(`Try it with: ${test}`);
  });
}

function printAdded(hook: Hook, isJson = false): void {
  if (isJson) {
    printJson({ ...described(hook), secret: hook.secret });
    return;
  }
  print(`Added ${hook.id}: ${hook.events.join(" and ")} of ${hook.email} to ${shown(hook).url}`);
  if (hook.secret !== null) print(`Its secret, shown this once: ${hook.secret}`);
}

const ALLOW_PRIVATE = "HOOK_PRIVATE=1, for the server too, if the hook is to stay within your network";

const SUBJECTS: { readonly [fault in HookRefused["fault"]]?: string } = {
  header: "the header cannot be used",
  body: "the body cannot be used",
  events: "the events cannot be used",
};

function refused(error: unknown): never {
  if (!(error instanceof HookRefused)) throw error;
  const { fault, message } = error;
  const said = `${SUBJECTS[fault] ?? "the URL cannot be used"}: ${message}`;
  if (fault === "private-address") throw new Failure(said, ALLOW_PRIVATE);
  if (fault === "unknown-name") throw new Failure(said, "correct the URL");
  throw new Misuse(
    said,
    fault === "events" ? `--events ${HOOK_EVENTS.join(",")}` : "vitrine hook add --help",
  );
}

export async function list(
  email: string | undefined,
  options: DatabaseOption & { json?: true },
): Promise<void> {
  await withReadOnlyStore(options.database, async (store) => {
    if (email !== undefined) await existingUser(store, email);
    const hooks = await store.hooks.list(email);
    if (options.json) printJson(hooks.map(described));
    else if (hooks.length === 0)
      print(
        `There are no hooks. Add one with: ${asTyped(`vitrine hook add ${shellWord(email ?? "EMAIL")} URL`)}`,
      );
    else
      printTable(
        ["ID", "E-MAIL", "URL", "EVENTS", "SIGNED", "STATUS"],
        hooks
          .map(shown)
          .map((hook) => [
            hook.id,
            hook.email,
            hook.url,
            hook.events.join(", "),
            hook.isSigned ? "yes" : "no",
            statusWords(hook.status, hook.failingSince ?? hook.disabledAt),
          ]),
      );
  });
}

function statusWords(status: HookStatus, since: number | null): string {
  return since === null ? status : `${status} since ${formatTime(since)}`;
}

function described(hook: Hook) {
  const { createdAt, failingSince, disabledAt, ...rest } = shown(hook);
  return {
    ...rest,
    createdAt: timestampOf(createdAt),
    failingSince: timestampOf(failingSince),
    disabledAt: timestampOf(disabledAt),
  };
}

export async function test(id: string, options: DatabaseOption & { hookPrivate: boolean }): Promise<void> {
  await withStore(options.database, async (store) => {
    const hook = await find(store, id);
    const answer = await testHook(store.hooks, hook, { allowPrivate: options.hookPrivate });
    const remedy = answer.fault === "private-address" ? ALLOW_PRIVATE : `vitrine hook log ${id}`;
    if (!wentWell(answer)) throw new Failure(`the hook ${id} ${saidOf(answer)}`, remedy);
    print(`The hook ${id} ${saidOf(answer)}.`);
  });
}

function saidOf({ status, fault }: Answer): string {
  if (fault === "private-address") return "leads to an address that is not of the public Internet";
  return status === null ? `could not be reached: ${fault}` : `answered with ${status}`;
}

export async function remove(id: string, options: DatabaseOption): Promise<void> {
  await withStore(options.database, async (store) => {
    if (!(await store.hooks.remove(id))) throw noSuchHook(id);
    print(`Removed ${id}. Nothing is sent to it any more.`);
  });
}

export async function log(id: string, options: DatabaseOption & { json?: true }): Promise<void> {
  await withReadOnlyStore(options.database, async (store) => {
    await find(store, id);
    const deliveries = await store.hooks.log(id);
    if (options.json)
      printJson(
        deliveries.map(({ createdAt, dueAt, endedAt, ...rest }) => ({
          ...rest,
          createdAt: timestampOf(createdAt),
          nextTryAt: timestampOf(dueAt),
          endedAt: timestampOf(endedAt),
        })),
      );
    else if (deliveries.length === 0) print("Nothing was sent to it yet.");
    else
      printTable(
        ["DELIVERY", "EVENT", "CREATED", "STATE", "TRIES", "ANSWER", "NEXT TRY"],
        deliveries.map(({ id, event, createdAt, state, attempts, status, fault, dueAt }) => [
          id,
          event,
          formatTime(createdAt),
          state,
          String(attempts),
          String(status ?? fault ?? "-"),
          dueAt === null ? "-" : formatTime(dueAt),
        ]),
      );
  });
}

async function find(store: Store, id: string): Promise<Hook> {
  const hook = await store.hooks.find(id);
  if (!hook) throw noSuchHook(id);
  return hook;
}

function formatTime(instant: number): string {
  return timestampOf(instant).slice(0, 19).replace("T", " ");
}
