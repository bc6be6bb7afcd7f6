import starter from "../../../sample/starter.yaml" with { type: "text" };
import { RECORD_SCHEMA_PATH } from "../../contract/routes.ts";
import { emailFault } from "../../contract/texts.ts";
import { slugFrom } from "../../records/slugs.ts";
import { pagesUrl, type Settings } from "../../settings.ts";
import { Misuse } from "../failure.ts";
import { printText } from "../output.ts";

type Options = Pick<Settings, "port" | "host" | "publicUrl">;

/** Prints a record to start from: it can be imported as it stands, and shows all that may be added. */
export async function printStarter(email: string, options: Options): Promise<void> {
  if (emailFault(email) !== undefined)
    throw new Misuse(`${email} is no e-mail address`, "vitrine new ada@example.com > ada.yaml");
  const values = {
    SCHEMA: pagesUrl(options) + RECORD_SCHEMA_PATH,
    EMAIL: inYaml(email),
    SLUG: inYaml(slugFrom(email) ?? "me"),
  };
  const text = starter as unknown as string;
  printText(text.replaceAll(/\b(?:SCHEMA|EMAIL|SLUG)\b/g, (name) => values[name as keyof typeof values]));
}

/** Quoted where YAML would read something else into it. */
function inYaml(text: string): string {
  return /^[a-z][\w.+-]*(?:@[\w.-]+)?$/i.test(text) && !/^(?:true|false|null)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
