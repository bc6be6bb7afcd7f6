import { hasPage } from "../../records/visibility.ts";
import type { UserSummary } from "../../store/store.ts";
import { type DatabaseOption, existingUser, withReadOnlyStore, withStore } from "../database.ts";
import { Failure, noSuchUser } from "../failure.ts";
import {
  cleaned,
  isUnread,
  oneLine,
  plural,
  print,
  printJson,
  printJsonTexts,
  printTable,
} from "../output.ts";
import { asTyped } from "../remedy.ts";
import { shellWord } from "../shell-quotes.ts";

export async function listUsers(options: DatabaseOption & { json?: true }): Promise<void> {
  await withReadOnlyStore(options.database, async (store) => {
    if (options.json) {
      for await (const user of store.records.summaries()) {
        printJsonTexts([JSON.stringify(user)]);
        if (isUnread()) break;
      }
      return;
    }
    const users: UserSummary[] = [];
    for await (const user of store.records.summaries()) users.push(user);
    if (users.length === 0) {
      print(`There are no users yet. Load some with: ${asTyped("vitrine import FILE")}`);
      return;
    }
    printTable(
      ["E-MAIL", "PROFILE", "LINK TREES", "ACTIVE KEYS", "UPDATED"],
      users.map((user) => [
        user.email,
        user.profileSlug,
        String(user.linkTrees),
        String(user.activeKeys),
        user.updatedAt?.slice(0, 10) ?? "-",
      ]),
    );
  });
}

export async function showUser(email: string, options: DatabaseOption & { json?: true }): Promise<void> {
  await withReadOnlyStore(options.database, async (store) => {
    const record = await store.records.find(email);
    if (!record) throw noSuchUser(email);
    const keys = await store.keys.of(email);
    const summary = {
      id: record.id,
      email: record.email,
      name: record.profile.name.value,
      profile: record.profile.slug,
      isPublic: record.profile.isPublic,
      createdAt: record.createdAt,
      updatedAt: record.updatedAt,
      jobs: record.jobs.length,
      projects: record.projects.length,
      education: record.education.length,
      linkTrees: record.linkTrees.map((tree) => ({
        slug: tree.slug,
        title: tree.title,
        links: tree.links.length,
        hasPage: hasPage(tree),
      })),
      keys: keys.length,
    };
    if (options.json) {
      printJson(summary);
      return;
    }
    const facts: [string, string][] = [
      ["E-mail", summary.email],
      ["Id", summary.id],
      ["Name", summary.name ?? "-"],
      ["Profile", `${summary.profile} (${summary.isPublic ? "public" : "private"})`],
      ["Created", summary.createdAt],
      ["Updated", summary.updatedAt],
      [
        "Holds",
        [
          plural(summary.jobs, "job"),
          plural(summary.projects, "project"),
          plural(summary.education, "education entry", "education entries"),
          plural(summary.keys, "key"),
        ].join(", "),
      ],
      ...summary.linkTrees.map((tree): [string, string] => [
        "Link tree",
        `${tree.slug}: ${tree.title} (${plural(tree.links, "link")}${tree.hasPage ? "" : ", page off"})`,
      ]),
    ];
    for (const [name, value] of facts) print(`${name.padEnd(10)} ${oneLine(value)}`);
  });
}

export async function deleteUser(email: string, options: DatabaseOption & { yes?: true }): Promise<void> {
  await withStore(options.database, async (store) => {
    const user = await existingUser(store, email);
    if (!options.yes) confirmDeletion(user.email);
    await store.records.delete(email);
    print(`Deleted ${user.email} with ${plural(user.linkTrees, "link tree")} and all keys.`);
  });
}

function confirmDeletion(email: string): void {
  if (!process.stdin.isTTY) {
    throw new Failure(
      "deleting a user needs a yes, and there is no terminal to ask on",
      `vitrine user delete ${shellWord(email)} --yes`,
    );
  }
  if (!confirm(`Delete ${cleaned(email)} with all link trees and keys, for good?`))
    throw new Failure("nothing was deleted");
}
