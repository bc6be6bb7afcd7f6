import { expect, test } from "bun:test";
import { WaitingRoom } from "../../src/async/waiting-room.ts";
import { until } from "../support/until.ts";

const PATIENCE = { tickMs: 2, maxTicks: 3, firstPauseMs: 1, maxPauseMs: 4, goodMs: 0 };

interface Question {
  readonly name: string;
}

/** A room before a service that can be reached after so many attempts, and what has happened in it. */
function open(attempts = 1) {
  const happened: string[] = [];
  const connected: object[] = [];
  let left = attempts;
  const room = new WaitingRoom<object, Question>(
    {
      async connect() {
        left--;
        if (left > 0) throw new Error(`${left} more to go`);
        return {};
      },
      disconnect: () => void happened.push("disconnected"),
      onLate: ({ message }, wereOthersAnswered) =>
        void happened.push(`late: ${message}${wereOthersAnswered ? ", others answered" : ""}`),
      onAway: ({ message }) => void happened.push(`away: ${message}`),
      onConnected(connection, wasAway) {
        connected.push(connection);
        happened.push(wasAway ? "back" : "connected");
      },
    },
    PATIENCE,
  );
  return { room, happened, connected, [Symbol.asyncDispose]: () => room.close() };
}

test("a question that is answered in time is nobody's business any more", async () => {
  await using it = open();
  const question = { name: "quick" };
  it.room.enter(question);
  expect(it.room.isWaiting(question)).toBe(true);
  expect(it.room.answered(question)).toBe(true);
  expect(it.room.answered(question)).toBe(false);
  expect([...it.room.questions]).toEqual([]);
});

test("a question that waits too long is told of, and only those that are late are given up", async () => {
  await using it = open();
  const late = { name: "late" };
  it.room.enter(late);
  await until("the first to be late", () => it.happened.length > 0);
  const fresh = { name: "fresh" };
  it.room.enter(fresh);
  expect(it.room.takeLate()).toEqual([late]);
  expect(it.room.takeAll()).toEqual([fresh]);
  expect(it.room.answered(late)).toBe(false);
});

test("it is known whether others were answered while the oldest question waited", async () => {
  await using it = open();
  it.room.enter({ name: "before" });
  await until("it to be late", () => it.happened.length > 0);
  it.room.takeAll();
  it.room.enter({ name: "alone" });
  it.happened.length = 0;
  await until("it to be late", () => it.happened.length > 0);
  expect(it.happened[0]).toBe("late: no answer within 6 ms");
  const other = { name: "another" };
  it.room.enter(other);
  it.room.answered(other);
  it.happened.length = 0;
  await until("it to be late again", () => it.happened.length > 0);
  expect(it.happened[0]).toBe("late: no answer within 6 ms, others answered");
});

test("a connection is lost once, however often that is noticed", async () => {
  await using it = open();
  await it.room.connect();
  const [connection = {}] = it.connected;
  expect(it.room.lose(connection, new Error("cut"))).toBe(true);
  expect(it.room.lose(connection, new Error("cut again"))).toBe(false);
  expect(it.room.connection).toBeUndefined();
  expect(it.room.failure.message).toBe("cut");
  expect(it.happened).toEqual(["connected", "disconnected"]);
});

test("a service that is away is told of once, tried until it is there, and told of when it is back", async () => {
  await using it = open(4);
  await it.room.connect();
  it.room.goAway();
  it.room.goAway();
  expect(it.room.isAway).toBe(true);
  await until("the service to be back", () => it.room.connection !== undefined);
  expect(it.room.isAway).toBe(false);
  expect(it.happened).toEqual(["away: 3 more to go", "back"]);
});

test("a connection that comes when the room is closed is not kept", async () => {
  const it = open();
  const connecting = it.room.connect();
  await it.room.close();
  await connecting;
  expect(it.room.connection).toBeUndefined();
  expect(it.happened).toEqual(["disconnected"]);
});
