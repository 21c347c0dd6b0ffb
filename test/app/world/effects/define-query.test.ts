import { expect, test } from "vitest";
import { type DataQuery, defineQuery, type QueryAnswer } from "../../../../src/app/world/effects/define-query.ts";
import { LatestWork, type RunTools } from "../../../../src/app/world/effects/runners.ts";
import { type State, say } from "../../../../src/app/world/state/state.ts";
import { someCapabilities } from "../../../support/capabilities.ts";
import { start } from "../../../support/listed-state.ts";
import { answerTo, askedOf, failureOf } from "../../../support/queries.ts";

type Spec = Parameters<typeof defineQuery<string, string>>[0];

/** A query for what the message says, without a message for nothing. */
function queryWith(fields: Partial<Spec> = {}): DataQuery<string, string> {
	const wanted = ({ message }: State) => message?.text;
	return defineQuery<string, string>({ name: "test", wanted, load: async (key) => `read ${key}`, ...fields });
}

const wanting = (text: string, state: State = start): State => say(state, text);
const nothing = (state: State): State => ({ ...state, message: undefined });
const known = ({ value, key, isLoading }: QueryAnswer<string, string>) => [value, key, isLoading];

test("a query asks once for a key; an answer for an earlier one is dropped, and the last value stays meanwhile", () => {
	const query = queryWith();
	const [asking, effects] = query.ask(wanting("a"));
	expect(effects).toEqual([{ type: "load", query: "test", request: 1, key: "a" }]);
	expect(query.ask(asking)).toEqual([asking, []]);
	const [read] = query.take(asking, answerTo(query, asking, "A"));
	expect(known(query.of(read))).toEqual(["A", "a", false]);
	expect(query.ask(read)).toEqual([read, []]);

	const [other] = query.ask(wanting("b", read));
	const late = answerTo(query, other, "B");
	const [third, more] = query.ask(wanting("c", other));
	expect(more).toMatchObject([{ type: "load", key: "c" }]);
	expect(known(query.of(query.take(third, late)[0]))).toEqual(["A", "a", true]);
});

test("reading is cancelled once nothing is wanted, and begins again when it is", () => {
	const query = queryWith();
	const [asking] = query.ask(wanting("a"));
	const late = answerTo(query, asking, "A");
	const [stopped, effects] = query.ask(nothing(asking));
	expect(effects).toEqual([{ type: "stop-load", query: "test" }]);
	expect(query.take(stopped, late)[0]).toBe(stopped);
	expect(query.ask(wanting("a", stopped))[1]).toMatchObject([{ type: "load", key: "a" }]);
});

test("what may have changed is read again, but not before the reading under way has ended", () => {
	const query = queryWith();
	const [asking] = query.ask(wanting("a"));
	const stale = query.renew(asking);
	expect(query.ask(stale)[1]).toEqual([]);
	const [read] = query.take(stale, answerTo(query, stale, "A"));
	expect(query.ask(read)[1]).toMatchObject([{ type: "load", request: 2 }]);
});

test("a query that finishes reads for the next key afterwards, and one that merges keeps what it knew", () => {
	const query = queryWith({ finishes: () => true, merge: (before = "", part) => before + part });
	const [asking] = query.ask(wanting("a"));
	expect(askedOf(query, query.ask(wanting("b", asking))[0])).toBe("a");
	const [read] = query.take(wanting("b", asking), answerTo(query, asking, "A"));
	const [next] = query.ask(read);
	expect(query.of(query.take(next, answerTo(query, next, "B"))[0])).toMatchObject({ value: "AB", key: "b" });
});

test("a failure is in the answer, beside the last value, until the next reading succeeds", () => {
	const query = queryWith({ canFail: true });
	const [asking] = query.ask(wanting("a"));
	const [failed] = query.take(asking, failureOf(query, asking, "no disk"));
	expect(query.of(failed)).toMatchObject({ error: "no disk", isLoading: false });
	const [again] = query.ask(query.renew(failed));
	expect(query.of(query.take(again, answerTo(query, again, "A"))[0])).toMatchObject({ value: "A", error: undefined });
});

test("parts come before the whole; an error is a bug unless the query can fail; a later reading aborts the one before", async () => {
	const heard: unknown[] = [];
	const work = new LatestWork();
	const tools: RunTools = {
		...someCapabilities({}),
		report: (action) => heard.push(action),
		latest: (run) => work.run(run),
	};
	const load = (query: DataQuery<string, string>) =>
		query.load({ type: "load", query: "test", request: 1, key: "a" }, tools);
	const parts: Partial<Spec> = {
		async load(key, { report }) {
			report(`half of ${key}`);
			return key;
		},
	};
	expect(await load(queryWith(parts))).toMatchObject({ outcome: { part: "a" }, isLast: true });
	expect(heard).toMatchObject([{ type: "loaded", outcome: { part: "half of a" }, isLast: false }]);
	const fails = () => Promise.reject(new Error("the disk is full"));
	expect(await load(queryWith({ load: fails, canFail: true }))).toMatchObject({
		outcome: { error: "the disk is full" },
	});
	await expect(load(queryWith({ load: fails }))).rejects.toThrow("the disk is full");
	const waits: Partial<Spec> = {
		load: (_, { signal }) =>
			new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
	};
	expect(await Promise.all([load(queryWith(waits)), load(queryWith())])).toMatchObject([
		undefined,
		{ outcome: { part: "read a" } },
	]);
	const ended: string[] = [];
	const listens: Partial<Spec> = {
		load: (key, { listen }) =>
			listen((_, fail) => {
				fail(new Error("the thread is gone"));
				return () => ended.push(key);
			}),
	};
	expect(await load(queryWith({ ...listens, canFail: true }))).toMatchObject({
		outcome: { error: "the thread is gone" },
	});
	expect(ended).toEqual(["a"]);
});
