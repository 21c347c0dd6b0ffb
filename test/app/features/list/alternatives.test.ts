import { expect, test } from "vitest";
import { ALTERNATIVES } from "../../../../src/app/features/list/alternative-rows.ts";
import { selectAlternatives } from "../../../../src/app/features/list/alternatives.ts";
import { arePartsKnown, isNothingFound, PARTS } from "../../../../src/app/features/list/other-queries.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import type { Scope } from "../../../../src/app/world/state/list-state.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { inLong } from "../../../support/cases.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { paneTexts } from "../../../support/screen-text.ts";
import { type Driver, startProgram, toScope } from "../../../support/start-program.ts";

const collection = collectionOfFile();

type Case = readonly [typed: string, scope: Scope | "named", ...rows: readonly string[]];

/**
 * Queries that find nothing in the demo collection, and what the list then says: the first alternative has the cursor. One for each kind
 * of alternative, and of words where there is none.
 */
// biome-ignore format: a table
const CASES: readonly Case[] = [
	["walrus", "all", "No session has “walrus”"],
	["status:named", "all", "No session has “status:named”", "› “status:” is not a field  is:named  6 sessions"],
	["moon:phase", "all", "No session has “moon:phase”; moon: is not a field and was searched as text;", "fields are project: since: is: tag: cost: file: cmd: role: in: tool:"],
	["src/*.ts zod", "all", "No session has both words: none has “src/*.ts”", "› “*” stands for itself  file:src/ file:.ts zod  1 session", "without “src/*.ts”  zod  1 session"],
	["\"dark retry\"", "all", "No session has “dark retry”", "› the words, not the phrase  dark retry  1 session", "any of its words  dark or retry  3 sessions"],
	["onto last month", "all", "No session has all 3 words: none has “month”", "› “last month” as a date, without “onto”  on:last-month  1 session", "without “last” and “month”  onto  1 session", "only “last”  last  3 sessions", "any of them  onto or last  4 sessions"],
	["named retry", "all", "No session has both words: each is found, but not together", "› “named” as a state  is:named retry  1 session", "without “retry”  named  1 session like it", "without “named”  retry  2 sessions", "any of them  named or retry  2 sessions"],
	["project:parsr grammar", "all", "No session matches both parts: none matches project:parsr", "› no project is called “parsr”  project:parser grammar  1 session", "without project:parsr  grammar  1 session"],
	["cost:>0.06 retry", "all", "No session matches both parts", "› without “retry”  cost:>0.06  1 session", "without cost:>0.06  retry  2 sessions"],
	["rebase", "here", "No session here has “rebase”", "› in all projects  rebase  1 session"],
	["src/http/nope.ts", "all", "No session has “src/http/nope.ts”", "› the words in it, without “nope”  src http ts  1 session"],
	["/srv/x/src/http/client.ts", "all", "No session has “/srv/x/src/http/client.ts”", "› the name of the file  file:client.ts  1 session"],
	["tokenizer zzz", "named", "No session with [named] has both words: none has “tokenizer” or “zzz”", "› without “zzz”, without [named]  tokenizer  1 session"],
	["costly this month", "all", "No session has all 3 words: none has “costly”, “this” or “month”", "› most expensive first, “this month” as a date  cost:>0 on:this-mo…  12 sessions"],
	["parsr", "all", "No session has “parsr”", "› “parser” instead of “parsr”  parser  6 sessions"],
	["output:walrus", "all", "No session has “output:walrus”; output: is not a field, and “in:output walrus”", "finds nothing either"],
	["◐", "all", "No session has “◐”; in a row it stands for is:waiting, which finds nothing", "either"],
	["cost 0.06", "all", "No session has both words: none has “0.06”", "› more than $0.06  cost:>0.06  1 session", "without “0.06”  cost  2 sessions"],
	["on:2026-11-12", "all", "No session matches on:2026-11-12", "› the last day with sessions before that  on:2026-11-09  1 session"],
];

/** More of the same kinds. */
// biome-ignore format: a table
const MORE_CASES: readonly Case[] = [
	["retry onto dark", "all", "No session has all 3 words: each is found, but not together", "› without “onto”  retry dark  1 session", "any of them  retry or onto or dark  4 sessions"],
	["user:retry onto", "all", "No session has both words: none has “user:retry”", "› “user:” is not a field, without “retry”  role:user onto  1 session", "“user:” is not a field, without “onto”  role:user retry  1 session", "without “user:retry”  onto  1 session"],
	["c:xyzzy", "all", "No session has “c:xyzzy”; c: is not a field and was searched as text; did you", "mean cmd:, cwd: or cost:?"],
	["last week onto", "all", "No session has all 3 words: each is found, but not together", "› without “last” and “week”  onto  1 session", "“last week” as a date, without “onto”  on:last-week  1 session", "without “onto”  last week  1 session", "any of them  last or week or onto  5 sessions"],
	["most expensive sessions of last week", "all", "No session has all 6 words: none has “expensive”", "› most expensive first, “last week…  cost:>0 on:last-week  1 session", "only “most”  most  2 sessions", "only “week”  week  2 sessions", "only “last”  last  3 sessions", "only “of”  of  9 sessions", "only “sessions”  sessions  14 sessions", "any of them  most or sessions or of or las…  14 sessions"],
	["walrus retry", "all", "No session has both words: none has “walrus”", "› without “walrus”  retry  2 sessions"],
	["retry onto", "all", "No session has both words: each is found, but not together", "› without “retry”  onto  1 session", "without “onto”  retry  2 sessions", "any of them  retry or onto  3 sessions"],
	["retry walrus dark", "all", "No session has all 3 words: none has “walrus”", "› without “walrus”  retry dark  1 session", "any of them  retry or dark  3 sessions"],
	["roel:user retry", "all", "No session has both words: none has “roel:user”", "› “roel:” is not a field  role:user retry  1 session", "without “roel:user”  retry  2 sessions"],
	["author:me", "all", "No session has “author:me”", "› “author:” is not a field  role:user me  9 sessions"],
	["*.ts", "all", "No session has “*.ts”", "› “*” stands for itself  file:.ts  4 sessions"],
	["yesterday onto", "all", "No session has both words: none has “yesterday”", "› without “yesterday”  onto  1 session", "“yesterday” as a date, without “onto”  on:yesterday  2 sessions"],
	["project:parsr", "all", "No session matches project:parsr", "› no project is called “parsr”  project:parser  4 sessions"],
	["cost>5 retry", "all", "No session matches both parts: none matches cost:>5", "› without cost:>5  retry  2 sessions"],
	["retry since:1d before:2d", "all", "No session matches all 3 parts", "› without before:2d  retry since:1d  2 sessions"],
	["role:user withRetry", "all", "No session matches both parts", "› without role:user  withRetry  1 session"],
	["onto -git", "all", "No session matches both parts", "› without -git  onto  1 session"],
	["rebase onto retry", "here", "No session here has all 3 words: none has “rebase” or “onto”", "› without “rebase” and “onto”  retry  1 session"],
	["is:running", "all", "No session matches is:running"],
	["parsers onto", "all", "No session has both words: each is found, but not together", "› without “parsers”  onto  1 session", "without “onto”  parsers  6 sessions like it", "any of them  parsers or onto  1 session"],
	["retry or walrus onto", "all", "No session has both words: each is found, but not together", "› without “retry or walrus”  onto  1 session", "without “onto”  retry or walrus  2 sessions", "any of them  retry or walrus or onto  3 sessions"],
	["re:zz+ since:7d", "all", "No session matches both parts", "› without since:7d  re:/zz+/  1 session", "without re:/zz+/  since:7d  10 sessions"],
	["withRetry(thing)", "all", "No session has “withRetry(thing)”", "› any of its words  withRetry or thing  3 sessions"],
	["tokenizer", "named", "No session with [named] has “tokenizer”", "› without [named]  tokenizer  1 session"],
	["costly", "all", "No session has “costly”", "› most expensive first  cost:>0  14 sessions"],
	["⚑1", "all", "No session has “⚑1”", "› “⚑1” as a state  is:labeled  2 sessions"],
	["2afe1fb4", "all", "No session has “2afe1fb4”", "› the id of an entry  entry:2afe1fb4  1 session"],
	["answer:tokens retry", "all", "No session has both words: none has “answer:tokens”", "› “answer:” is not a field, without “tokens”  role:assistant retry  1 session", "the words in it, without “tokens”  answer retry  1 session", "without “answer:tokens”  retry  2 sessions"],
	["id:2afe1fb4", "all", "No session has “id:2afe1fb4”", "› “id:” is not a field  entry:2afe1fb4  1 session"],
	["✗9", "all", "No session has “✗9”; in a row it stands for errors:9, which finds nothing", "either"],
	["tag important", "all", "No session has both words: none has “important”", "› without “important”  tag  1 session"],
	["onto last week", "all", "No session has all 3 words: each is found, but not together", "› “last week” as a date, without “onto”  on:last-week  1 session", "without “last” and “week”  onto  1 session", "without “onto”  last week  1 session", "any of them  onto or last or week  5 sessions"],
	["since:2027", "all", "No session matches since:2027", "› the last day with sessions before that  on:2026-11-21  3 sessions"],
	["★", "all", "No session has “★”; in a row it stands for is:pinned, which finds nothing", "either"],
];

async function nothingFound({ idle, until }: Driver): Promise<State> {
	await idle();
	return until("what is found without parts of the query", (state) => !PARTS.of(state).isLoading);
}

const isEmpty = (state: State): boolean => selectList(state).items.length === 0;

test("where nothing is found the list says why, and offers what is found; Enter takes the first, which finds as many", async () => {
	const driver = await startProgram({ columns: 149, rows: 29 }, { collection: collection() });
	/** The kinds of alternatives that were taken: one of each is enough. */
	const takenKinds = new Set<string>();
	const found: (readonly string[])[] = [];
	const cases = inLong([...CASES, ...MORE_CASES], CASES);
	for (const [typed, scope] of cases) {
		if (scope === "named") driver.press("named");
		else toScope(driver, scope);
		driver.type(typed);
		const state = await nothingFound(driver);
		expect(isEmpty(state), typed).toBe(true);
		const drawn = paneTexts(state, "list").map((row) => row.trim().replace(/ {2,}/g, "  "));
		found.push([typed, ...drawn.filter((row) => row !== "")]);
		const [first] = selectAlternatives(state).alternatives;
		const kind = first && `${first.label.replace(/“.*?”/g, "")} ${first.inForms}`;
		if (first !== undefined && kind !== undefined && !takenKinds.has(kind)) {
			takenKinds.add(kind);
			driver.press("take-alternative");
			const { others, rows, runs } = selectList(await driver.idle());
			expect([typed, rows.length - runs - (first.inForms ? 0 : others)]).toEqual([typed, first.count]);
		}
		driver.press("erase-all");
		if (scope === "named" && driver.program.getState().list.terms.length > 0) driver.press("named");
	}
	// All at once, so that a failure shows each that differs.
	expect(found).toEqual(cases.map(([typed, , ...rows]) => [typed, ...rows]));
});

test("they are counted also where the last letter makes a condition of what was being searched for", async () => {
	const driver = await startProgram({ columns: 120, rows: 30 }, { collection: collection() });
	await driver.select("calc.py");
	driver.press("only-project");
	for (const letters of ["yesterda", "y"]) driver.type(letters);
	const state = await driver.until("what else the word may be", (now) => isNothingFound(now) && arePartsKnown(now));
	expect(selectAlternatives(state).alternatives.map(({ label }) => label)).toEqual(["in all projects"]);
});

test("the cursor moves among the alternatives, and a click takes one; a second click there is not about what it found", async () => {
	const driver = await startProgram({ columns: 120, rows: 30 }, { collection: collection() });
	driver.type("retry onto");
	const state = await nothingFound(driver);
	const at = (now: State): string | undefined => ALTERNATIVES.current(now)?.alternative?.text;
	expect(at(state)).toBe("onto");
	driver.press("down", "down");
	expect(at(driver.program.getState())).toBe("retry or onto");
	driver.press("up");
	const y = paneTexts(state, "list").findIndex((row) => row.includes("any of them")) + 2;
	const press = { type: "mouse", event: { kind: "press", x: 10, y } } as const;
	driver.send(press);
	expect((await driver.idle()).list.query.text).toBe("retry or onto");
	driver.send(press);
	expect(driver.program.getState()).toMatchObject({ focus: "list", list: { query: { text: "retry or onto" } } });
	// Typing goes on in the query as ever.
	driver.press("erase-all");
	driver.type("retry walrus");
	await nothingFound(driver);
	driver.type("es");
	expect(driver.program.getState().list.query.text).toBe("retry walruses");
});
