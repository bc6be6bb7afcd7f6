import { ChoiceField } from "../controls/choice-field.tsx";
import { DateField } from "../controls/date-field.tsx";
import { TextField } from "../controls/field.tsx";
import { Switch } from "../controls/switch.tsx";
import { periodOf } from "../editing/dates.ts";
import { type Education, withKey } from "../editing/draft.ts";
import type { Path } from "../editing/paths.ts";
import { STUDY_LEVEL_NAMES } from "../words.ts";
import { EntryList } from "./entry-list.tsx";

export function EducationScreen() {
  return (
    <EntryList<Education>
      title="Education"
      intro="Where you studied. It is as public as your profile."
      list="education"
      noun="place of study"
      blank={blankEducation}
      firstField="institution"
      name={(education) => education.institution}
      details={(education) =>
        [periodOf(education), STUDY_LEVEL_NAMES[education.studyLevel], education.fieldOfStudy]
          .filter(Boolean)
          .join(" · ")
      }
      form={(path) => <EducationForm path={path} />}
    />
  );
}

function EducationForm({ path }: { readonly path: Path }) {
  return (
    <>
      <div class="pair">
        <TextField path={[...path, "institution"]} label="Institution" />
        <TextField
          path={[...path, "institutionUrl"]}
          label="Its site"
          kind="web"
          empty={undefined}
          isOptional
        />
      </div>
      <div class="pair">
        <ChoiceField
          path={[...path, "studyLevel"]}
          label="Level"
          choices={Object.entries(STUDY_LEVEL_NAMES)}
        />
        <TextField path={[...path, "fieldOfStudy"]} label="Field of study" empty={undefined} isOptional />
      </div>
      <div class="switches">
        <Switch path={[...path, "isCurrent"]}>I study here now</Switch>
      </div>
      <div class="pair">
        <DateField path={[...path, "startDate"]} label="Start" empty={undefined} isOptional />
        <DateField
          path={[...path, "endDate"]}
          label="End"
          hint="While you study, when you expect it to end."
          empty={undefined}
          isOptional
        />
      </div>
      <TextField path={[...path, "description"]} label="Description" kind="long" empty={null} isOptional />
    </>
  );
}

function blankEducation(): Education {
  const blank = { institution: "", studyLevel: "OTHER", isCurrent: false, description: null };
  return withKey(blank as unknown as Education);
}
