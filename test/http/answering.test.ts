import { describe, expect, test } from "bun:test";
import { Answering, type Manner } from "../../src/http/answering.ts";
import type { Exchange, Outcome } from "../../src/http/exchange.ts";

/** Makes requests that go through these steps, each of which notes what it does under the name of its request. */
class Requests {
  readonly notes: string[] = [];
  readonly #steps: readonly ((name: string) => void | Promise<void>)[];

  constructor(...steps: ((name: string) => void | Promise<void>)[]) {
    this.#steps = steps;
  }

  of(name: string): Answering<string> {
    const note = (what: string) => this.notes.push(`${what} ${name}`);
    const stepFrom = (step: number): (() => Outcome | Promise<Outcome>) | Response => {
      const work = this.#steps[step];
      if (!work) return new Response(name);
      return () => {
        note(String(step + 1));
        const waiting = work(name);
        return waiting ? waiting.then(() => stepFrom(step + 1)) : stepFrom(step + 1);
      };
    };
    const manner: Manner<string> = {
      open: () => ({}) as Exchange,
      begin: () => stepFrom(0),
      fail: (error) => {
        note(`"${(error as Error).message}" of`);
        return new Response(null, { status: 500 });
      },
      finish: (_, response) => {
        note("end of");
        if (name === "broken") throw new Error("cannot end");
        return response;
      },
    };
    return new Answering(manner, new Request("http://localhost/"), {}, 0);
  }
}

const nothing = () => {};

describe("requests of one turn", () => {
  test("take each step before one of them takes the next", async () => {
    const requests = new Requests(nothing, nothing);
    const answers = await Promise.all([requests.of("a").together(), requests.of("b").together()]);
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(["a", "b"]);
    expect(requests.notes).toEqual(["1 a", "1 b", "2 a", "2 b", "end of a", "end of b"]);
  });

  test("begin when it is over", async () => {
    const requests = new Requests(nothing);
    const answer = requests.of("a").together();
    await null;
    expect(requests.notes).toEqual([]);
    await answer;
    expect(requests.notes).toEqual(["1 a", "end of a"]);
  });

  test("are not held up by one that waits, which goes on by itself", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const requests = new Requests((name) => (name === "slow" ? promise : undefined), nothing);
    const slow = requests.of("slow").together();
    await requests.of("a").together();
    expect(requests.notes).toEqual(["1 slow", "1 a", "2 a", "end of a"]);
    resolve();
    expect(await (await slow).text()).toBe("slow");
    expect(requests.notes.slice(4)).toEqual(["2 slow", "end of slow"]);
  });

  test.each([
    ["throws", () => void fail()],
    ["fails later", async () => fail()],
  ])("go on where a step of one %s, and that one gets an answer", async (_, failing) => {
    const requests = new Requests((name) => (name === "bad" ? failing() : undefined), nothing);
    const answers = await Promise.all(["bad", "a"].map((name) => requests.of(name).together()));
    expect(answers.map(({ status }) => status)).toEqual([500, 200]);
    expect(requests.notes).toContain('"no" of bad');
    expect(requests.notes).toContain("end of bad");
    expect(requests.notes).not.toContain("2 bad");
  });

  test("go on where the answer to one cannot be finished", async () => {
    const requests = new Requests(nothing);
    const [broken, whole] = await Promise.allSettled(
      ["broken", "a"].map((name) => requests.of(name).together()),
    );
    expect(broken).toMatchObject({ status: "rejected", reason: new Error("cannot end") });
    expect(whole?.status).toBe("fulfilled");
  });

  test("that come while others are answered are answered, too", async () => {
    const requests: Requests = new Requests((name) => {
      if (name === "first") second = requests.of("second").together();
    });
    let second: Promise<Response> | undefined;
    await requests.of("first").together();
    expect(await (await second)?.text()).toBe("second");
  });
});

describe("a request that is answered at once", () => {
  test("has its answer now where nothing waits", () => {
    const requests = new Requests(nothing, nothing);
    expect(requests.of("a").atOnce()).toBeInstanceOf(Response);
    expect(requests.notes).toEqual(["1 a", "2 a", "end of a"]);
  });

  test("has it later where something does", async () => {
    const requests = new Requests(async () => {});
    const answer = requests.of("a").atOnce();
    expect(answer).toBeInstanceOf(Promise);
    expect(await (await answer).text()).toBe("a");
  });

  test("has the answer to a failure now, too", async () => {
    const answer = new Requests(() => void fail()).of("a").atOnce();
    expect(answer).toMatchObject({ status: 500 });
  });
});

function fail(): never {
  throw new Error("no");
}
