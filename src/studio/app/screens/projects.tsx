import { ChoiceField } from "../controls/choice-field.tsx";
import { DateField } from "../controls/date-field.tsx";
import { TextField } from "../controls/field.tsx";
import { Switch } from "../controls/switch.tsx";
import { TagsField } from "../controls/tags-field.tsx";
import { periodOf } from "../editing/dates.ts";
import { type Project, withKey } from "../editing/draft.ts";
import { useDraft, useEditor, useValue } from "../editing/editor.ts";
import type { Path } from "../editing/paths.ts";
import { EntryList } from "./entry-list.tsx";

export function ProjectsScreen() {
  return (
    <EntryList<Project>
      title="Projects"
      intro="What you made or are making. They are as public as your profile."
      list="projects"
      noun="project"
      blank={blankProject}
      firstField="title"
      name={(project) => project.title}
      details={(project) => [periodOf(project), project.role].filter(Boolean).join(" · ")}
      form={(path) => <ProjectForm path={path} />}
    />
  );
}

function ProjectForm({ path }: { readonly path: Path }) {
  const editor = useEditor();
  const [isCurrent] = useValue<boolean>([...path, "isCurrent"]);
  const jobs = useDraft((draft) => draft.jobs);
  return (
    <>
      <TextField path={[...path, "title"]} label="Title" />
      <TextField path={[...path, "shortDescription"]} label="In a sentence" />
      <div class="pair">
        <TextField path={[...path, "role"]} label="Role" empty={undefined} isOptional />
        <ChoiceField
          path={[...path, "jobId"]}
          label="Part of a job"
          none="None"
          choices={jobs.map(({ id, title, companyName }) => [
            id,
            [title, companyName].filter(Boolean).join(", "),
          ])}
        />
      </div>
      <div class="switches">
        <Switch
          path={[...path, "isCurrent"]}
          also={(isCurrent) => isCurrent && editor.edit([...path, "endDate"], null)}
        >
          I work on it now
        </Switch>
        <Switch path={[...path, "isOpenSource"]}>Open source</Switch>
        <Switch path={[...path, "isRemote"]}>Remote</Switch>
      </div>
      <div class="pair">
        <DateField path={[...path, "startDate"]} label="Start" empty={undefined} isOptional />
        {!isCurrent && <DateField path={[...path, "endDate"]} label="End" empty={null} isOptional />}
      </div>
      <div class="pair">
        <TextField path={[...path, "repoUrl"]} label="Source" kind="web" empty={undefined} isOptional />
        <TextField path={[...path, "demoUrl"]} label="Demo" kind="web" empty={null} isOptional />
      </div>
      <TextField path={[...path, "description"]} label="Description" kind="long" empty={null} isOptional />
      <TagsField path={[...path, "technologies"]} label="Technologies" />
    </>
  );
}

function blankProject(): Project {
  const blank = {
    title: "",
    shortDescription: "",
    technologies: [],
    isCurrent: false,
    isRemote: false,
    isOpenSource: false,
    description: null,
    endDate: null,
    demoUrl: null,
    jobId: null,
  };
  return withKey(blank as unknown as Project);
}
