import { DateField } from "../controls/date-field.tsx";
import { TextField } from "../controls/field.tsx";
import { Switch, Visibility } from "../controls/switch.tsx";
import { TagsField } from "../controls/tags-field.tsx";
import { periodOf } from "../editing/dates.ts";
import { type Job, newId } from "../editing/draft.ts";
import { useEditor, useValue } from "../editing/editor.ts";
import type { Path } from "../editing/paths.ts";
import { EntryList } from "./entry-list.tsx";

export function JobsScreen() {
  return (
    <EntryList<Job>
      title="Jobs"
      intro="Where you work and worked. Current ones come first, then the latest."
      list="jobs"
      noun="job"
      blank={blankJob}
      firstField="title"
      name={(job) => [job.title, job.companyName].filter(Boolean).join(", ")}
      details={(job) => [periodOf(job), job.isRemote && "remote"].filter(Boolean).join(" · ")}
      isPrivate={(job) => !job.isPublic}
      form={(path) => <JobForm path={path} />}
    />
  );
}

function JobForm({ path }: { readonly path: Path }) {
  const editor = useEditor();
  const [isCurrent] = useValue<boolean>([...path, "isCurrent"]);
  return (
    <>
      <TextField
        path={[...path, "title"]}
        label="Title"
        aside={<Visibility path={[...path, "isPublic"]} of="this job" />}
      />
      <div class="pair">
        <TextField path={[...path, "companyName"]} label="Company" />
        <TextField
          path={[...path, "companyUrl"]}
          label="Company's site"
          kind="web"
          empty={undefined}
          isOptional
        />
      </div>
      <div class="switches">
        <Switch
          path={[...path, "isCurrent"]}
          also={(isCurrent) => isCurrent && editor.edit([...path, "endDate"], null)}
        >
          I work here now
        </Switch>
        <Switch path={[...path, "isRemote"]}>Remote</Switch>
      </div>
      <div class="pair">
        <DateField path={[...path, "startDate"]} label="Start" empty="" />
        {!isCurrent && <DateField path={[...path, "endDate"]} label="End" empty={null} isOptional />}
      </div>
      <TextField path={[...path, "description"]} label="Description" kind="long" isOptional />
      <TagsField path={[...path, "technologies"]} label="Technologies" />
      <TextField
        path={[...path, "listingId"]}
        label="Listing"
        empty={undefined}
        isOptional
        hint="Identifies the company's listing, for services that know it."
      />
    </>
  );
}

function blankJob(): Job {
  const blank = {
    id: newId(),
    title: "",
    companyName: "",
    startDate: "",
    endDate: null,
    isCurrent: false,
    isPublic: true,
    isRemote: false,
    technologies: [],
    description: "",
  };
  // What the server sets is not there yet.
  return blank as unknown as Job;
}
