import { partsOf } from "../editing/dates.ts";
import type { StudyLevel } from "../editing/draft.ts";
import { useDraft } from "../editing/editor.ts";
import { entryName, fieldName, STUDY_LEVEL_NAMES } from "../words.ts";

/** What tells things apart and says when they were made: nothing to read. */
const UNREAD = new Set(["id", "userId", "createdAt", "updatedAt"]);

interface Props {
  readonly value: unknown;
  /** The name that the value has in the record, for what is stored by a word that nobody reads. */
  readonly field?: string;
}

/** A value of a record to be read: a text, a yes or no, a list, or an entry with its fields. */
export function ValueView({ value, field }: Props) {
  if (value === undefined || value === null || value === "") return <span class="nothing">nothing</span>;
  if (typeof value === "boolean") return <>{value ? "yes" : "no"}</>;
  if (Array.isArray(value)) return <ListView entries={value} />;
  if (typeof value === "object") return <EntryView entry={value as Record<string, unknown>} />;
  if (field === "jobId") return <JobName id={String(value)} />;
  if (field === "studyLevel") return <>{STUDY_LEVEL_NAMES[value as StudyLevel]}</>;
  return <>{readable(String(value))}</>;
}

function JobName({ id }: { readonly id: string }) {
  const job = useDraft(({ jobs }) => jobs.find((one) => one.id === id));
  return <>{job ? entryName(job) : "another job"}</>;
}

function ListView({ entries }: { readonly entries: readonly unknown[] }) {
  if (entries.length === 0) return <span class="nothing">none</span>;
  if (entries.every((entry) => typeof entry !== "object")) return <>{entries.join(", ")}</>;
  return (
    <ul class="value-list">
      {(entries as Record<string, unknown>[]).map((entry, index) => (
        // Nothing here moves or changes, so a place is as good as a key.
        <li key={index}>
          {"url" in entry ? (
            <>
              {entryName(entry)} <small>{String(entry.url)}</small>
            </>
          ) : (
            <details>
              <summary>{entryName(entry)}</summary>
              <EntryView entry={entry} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function EntryView({ entry }: { readonly entry: Readonly<Record<string, unknown>> }) {
  if ("value" in entry && "isPublic" in entry)
    return (
      <>
        <ValueView value={entry.value} /> <small>{entry.isPublic ? "public" : "only you"}</small>
      </>
    );
  return (
    <dl class="value-entry">
      {Object.entries(entry)
        .filter(([name]) => !UNREAD.has(name))
        .map(([name, value]) => (
          <div key={name}>
            <dt>{fieldName(name, "label" in entry)}</dt>
            <dd>
              <ValueView value={value} field={name} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

/** A date, which is stored as an instant, as people write it. Any other text stays as it is, one like a date as well. */
function readable(text: string): string {
  if (!INSTANT.test(text)) return text;
  const { year, month, day } = partsOf(text);
  return [year, month, day].filter(Boolean).join("-");
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
