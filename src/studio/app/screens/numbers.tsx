import { useState } from "preact/hooks";
import {
  type LinkNumbers,
  type Numbers,
  type NumbersPeriod,
  PERIODS,
  type TreeNumbers,
} from "../../contract.ts";
import { useAnswer, useDoing } from "../asking.ts";
import { call } from "../calls.ts";
import { Awaited, Refused } from "../controls/asked.tsx";
import { Icon } from "../controls/icon.tsx";
import { Screen } from "../controls/screen.tsx";
import { Select } from "../controls/select.tsx";
import { saveFile } from "../files.ts";
import { Chart } from "../numbers/chart.tsx";
import { kindFor, spansOf } from "../numbers/spans.ts";

/** How many links are listed before one asks for the others. */
const LINKS_SHOWN = 25;

export function NumbersScreen({ user }: { readonly user: string }) {
  const [days, setDays] = useState<NumbersPeriod["days"]>("30");
  const [slug, setSlug] = useState("");
  const { answer, refusal, again } = useAnswer(
    () => call("showNumbers", { user, query: { days } }),
    [user, days],
  );
  const { isBusy, refusal: failure, run } = useDoing();
  const download = () =>
    run(async () =>
      saveFile(await call("downloadNumbers", { user, query: { days } }), `numbers-${days}-days.csv`),
    );
  return (
    <Screen
      title="Numbers"
      intro={
        <p>Views of your pages and clicks on their links, by day. Nothing is known about who they were.</p>
      }
      actions={
        <button type="button" class="button" aria-disabled={isBusy} onClick={() => void download()}>
          <Icon name="take-along" />
          Download as CSV
        </button>
      }
    >
      <div class="choices">
        <fieldset class="toggles" aria-label="Period">
          {PERIODS.map((one) => (
            <button key={one} type="button" aria-pressed={days === one} onClick={() => setDays(one)}>
              {one} days
            </button>
          ))}
        </fieldset>
        {answer && answer.trees.length > 1 && (
          <Select
            aria-label="Link tree"
            choices={[
              ["", "All link trees"],
              ...answer.trees.map((tree) => [tree.slug, tree.title || tree.slug] as const),
            ]}
            value={slug}
            onChange={setSlug}
          />
        )}
      </div>
      <Refused refusal={failure} />
      <Awaited answer={answer} refusal={refusal} again={again} />
      {answer && <Shown numbers={answer} slug={slug} />}
    </Screen>
  );
}

function Shown({ numbers, slug }: { readonly numbers: Numbers; readonly slug: string }) {
  const tree = numbers.trees.find((one) => one.slug === slug);
  const trees = tree ? [tree] : numbers.trees;
  const shown = tree ?? numbers;
  const kind = kindFor(numbers.days.length);
  const spans = spansOf(shown.days, kind);
  return (
    <>
      <dl class="totals">
        <Total name="Views" now={shown.views} before={shown.before.views} />
        <Total name="Clicks" now={shown.clicks} before={shown.before.clicks} />
        <div>
          <dt>Clicks per view</dt>
          <dd>{shown.views === 0 ? "–" : (shown.clicks / shown.views).toFixed(2)}</dd>
        </div>
      </dl>
      <section class="card">
        <Chart spans={spans} kind={kind} />
        <details class="as-table">
          <summary>The same as a table</summary>
          <table>
            <thead>
              <tr>
                <th scope="col">{{ day: "Day", week: "Week", month: "Month" }[kind]}</th>
                <th scope="col">Views</th>
                <th scope="col">Clicks</th>
              </tr>
            </thead>
            <tbody>
              {spans.map((span) => (
                <tr key={span.from}>
                  <th scope="row">
                    {span.name}
                    {span.part ? ` (${span.part})` : ""}
                  </th>
                  <td>{span.views.toLocaleString("en")}</td>
                  <td>{span.clicks.toLocaleString("en")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
        <p class="hint">
          Days are in UTC. An open bar is a {kind} that is not over, or not wholly in the period.
        </p>
      </section>
      <h2>Links</h2>
      <LinkTable trees={trees} />
    </>
  );
}

interface TotalProps {
  readonly name: string;
  readonly now: number;
  readonly before: number;
}

/** A total beside that of as many days before. */
function Total({ name, now, before }: TotalProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {now.toLocaleString("en")}
        <small>{comparison(now, before)}</small>
      </dd>
    </div>
  );
}

function comparison(now: number, before: number): string {
  const was = `${before.toLocaleString("en")} before`;
  if (before === 0 || now === before) return was;
  const difference = Math.abs(now - before) / before;
  return Math.round(difference * 100) === 0
    ? was
    : `${percent(difference)} ${now > before ? "more" : "fewer"} than ${was}`;
}

/** The space before the sign is one at which no line is broken. */
function percent(share: number): string {
  return `${Math.round(share * 100).toLocaleString("en")}\u202f%`;
}

function LinkTable({ trees }: { readonly trees: readonly TreeNumbers[] }) {
  const [isWhole, setWhole] = useState(false);
  const links: (LinkNumbers & { readonly tree: string })[] = trees
    .flatMap((tree) => tree.links.map((link) => ({ ...link, tree: tree.title || tree.slug })))
    .toSorted((one, other) => other.clicks - one.clicks);
  const all = trees.reduce((sum, tree) => sum + tree.clicks, 0);
  const gone = all - links.reduce((sum, link) => sum + link.clicks, 0);
  const most = links[0]?.clicks || 1;
  if (links.length === 0) return <p class="empty">There are no links yet.</p>;
  return (
    <section class="card">
      <table class="link-numbers">
        <thead>
          <tr>
            <th scope="col">Link</th>
            <th scope="col">Clicks</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {(isWhole ? links : links.slice(0, LINKS_SHOWN)).map((link) => (
            <tr key={link.id}>
              <th scope="row">
                <bdi>{link.label || link.url}</bdi>
                <small>{trees.length > 1 ? link.tree : link.url}</small>
                <svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={(link.clicks / most) * 100} height="4" />
                </svg>
              </th>
              <td>{link.clicks.toLocaleString("en")}</td>
              <td>{all === 0 ? "–" : percent(link.clicks / all)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {gone > 0 && <p class="hint">{gone.toLocaleString("en")} more on links that are no longer there.</p>}
      {!isWhole && links.length > LINKS_SHOWN && (
        <button type="button" class="button" onClick={() => setWhole(true)}>
          All {links.length.toLocaleString("en")} links
        </button>
      )}
    </section>
  );
}
