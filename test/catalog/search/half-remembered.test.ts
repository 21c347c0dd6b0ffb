import { expect, test } from "vitest";
import { findAll, searchAll } from "../../../src/catalog/search-all.ts";
import { FIRST_SEED, inShort } from "../../support/cases.ts";
import { queryOf } from "../../support/follow-search.ts";
import { conversation, lines } from "../../support/session-builder.ts";
import { tempAgentDir, tempDirOfFile } from "../../support/temp-dir.ts";

/** Sessions as people have them: what was asked, and what was answered. */
const SESSIONS: Readonly<Record<string, readonly [asked: string, answered: string]>> = {
	migration: ["Add a migration for the users table", "I wrote the migration; it adds the column and an index."],
	crash: ["Why did the pod crash last night?", "The container crashed: it was killed for using too much memory."],
	retry: ["The client hammers the API when it is down", "I put a limit of five into retry_loop in client.py."],
	day7: ["Advent of code, day 07", "Solved with a stack: both parts of day 07 pass."],
	kubernetes: ["Set up kubernetes locally", "kubernetes runs with kind; the dashboard is on port 8001."],
	failure: ["CI is red", "One test failed on Windows because of the line ends."],
	deploy: ["Ship it to staging", "Deployed to staging, the health check is green."],
	config: ["Configure eslint for the monorepo", "Each package extends the shared rules."],
	webhook: ["Stripe calls us twice", "The web-hook handler now remembers the ids of events."],
	authentication: ["Users are logged out at random", "The authentication middleware dropped the cookie."],
	dependency: ["npm audit complains", "I upgraded one dependency and removed another."],
	cache: ["Pages are slow", "We cache the rendered pages for a minute."],
	query: ["The report takes minutes", "The queries lacked an index; now each takes 20 ms."],
	parse: ["CSV with quotes breaks", "The parser handles quoted fields now."],
	rename: ["userId everywhere", "I renamed the column to user_id in all models."],
	description: ["Write the text for the store", "Here is a description of the app in two sentences."],
	http: ["Upgrade the server", "It speaks HTTP/2 and keepAlive is on."],
	permission: ["The upload returns 403", "The role lacked the permission to write into the bucket."],
	resolve: ["Two branches touch the same file", "I resolved the conflict by keeping both functions."],
	encoding: ["Umlauts look broken", "The file is latin1; I convert it to utf-8 now."],
	stop: ["The worker never ends", "It stops when the queue is closed."],
	dark: ["Add darkMode", "A toggle switches darkMode and stores the choice."],
	release: ["Cut 2.0", "Released 2.0 with notes."],
	docs: ["Explain the plugin API", "I documented every hook with an example."],
	types: ["tsc is unhappy", "The generic lacked a constraint."],
	colors: ["Make the buttons friendlier", "They are green with white text."],
};

/** What somebody types who half remembers, and which session is meant. */
const MEANT: readonly (readonly [query: string, session: string])[] = [
	["migrating users", "migration"],
	["pods crashing", "crash"],
	["retryLoop", "retry"],
	["day 7", "day7"],
	["day-7", "day7"],
	["kuberentes", "kubernetes"],
	["kubernets dashboard", "kubernetes"],
	["tests failing", "failure"],
	["deployment staging", "deploy"],
	["configuring eslint", "config"],
	["webHook stripe", "webhook"],
	["authentcation cookie", "authentication"],
	["dependencies audit", "dependency"],
	["caching pages", "cache"],
	["slow querying index", "query"],
	["parsing csv", "parse"],
	["userId renaming", "rename"],
	["describe app store", "description"],
	["http2 keep-alive", "http"],
	["permissions upload", "permission"],
	["resolving conflicts", "resolve"],
	["utf8 umlauts", "encoding"],
	["worker stopping", "stop"],
	["dark mode toggle", "dark"],
	["relased notes", "release"],
	["documentation plugins", "docs"],
];

function writeCollection() {
	const folder = tempAgentDir(tempDirOfFile());
	const endMs = Date.UTC(2026, 1, 1);
	const paths = new Map<string, string>();
	for (const [index, [key, [asked, answered]]] of Object.entries(SESSIONS).entries()) {
		const messages = [
			{ role: "user", text: asked },
			{ role: "assistant", text: answered },
		] as const;
		const number = String(index).padStart(4, "0");
		const plan = { number, cwd: "/home/me/work", endMs: endMs + index * 60_000, messages };
		paths.set(key, folder.write(`--w--/${key}.jsonl`, lines(...conversation(plan).lines)));
	}
	return { options: { env: folder.env, cacheDir: folder.cache }, pathOf: (key: string) => paths.get(key) };
}

const { options, pathOf } = writeCollection();

test(`of ${MEANT.length} queries by words that are half remembered, nearly all find the session that was meant first`, async () => {
	const missed: string[] = [];
	let exactly = 0;
	const asked = inShort(MEANT, (_, index) => index % 8 === FIRST_SEED % 8);
	for (const [query, session] of asked) {
		const [first] = await searchAll(query, options);
		if (first?.path !== pathOf(session)) missed.push(query);
		else if (first?.other === undefined) exactly++;
	}
	// Nobody said "slow" about the queries, and a slash joins no names.
	const missing = ["slow querying index", "http2 keep-alive"];
	expect(missed).toEqual(missing.filter((text) => asked.some(([query]) => query === text)));
	expect(exactly).toBeLessThan(5);
});

test("what was found in other forms stands behind what was found as typed, with what was found for which word", async () => {
	const { results, others, total } = await findAll(queryOf("cached pages role:assistant"), options);
	expect({ results, total }).toEqual({ results: [], total: Object.keys(SESSIONS).length });
	expect(others).toMatchObject([
		{
			path: pathOf("cache"),
			other: [{ word: "cached", matched: "cache" }],
			best: {
				snippet: {
					text: "We cache the rendered pages for a minute.",
					ranges: [
						[3, 8],
						[22, 27],
					],
				},
			},
		},
	]);
	const found = await searchAll("kubernetes", options);
	expect(found.map(({ path, other }) => [path, other])).toEqual([[pathOf("kubernetes"), undefined]]);
	const both = await searchAll("crashed", options);
	expect(both.map(({ path }) => path)).toEqual([pathOf("crash")]);
});

test("fewer changed words come first, then stems before joined names before typing errors", async () => {
	const folder = tempAgentDir();
	const write = (key: string, text: string, age: number) => {
		const messages = [{ role: "user", text }] as const;
		const plan = { number: `000${age}`, cwd: "/w", endMs: Date.UTC(2026, 1, 1) - age * 60_000, messages };
		return folder.write(`--w--/${key}.jsonl`, lines(...conversation(plan).lines));
	};
	const expected = [
		write("exact", "fastTesting the settings", 9),
		write("stem", "fastTesting one setting", 8),
		write("joined", "fast-testing the settings", 7),
		write("typing", "fastTseting the settings", 6),
		write("two", "fast_tested one setting", 5),
	];
	write("none", "fasting the setting", 4);
	const found = await searchAll("fastTesting settings", { env: folder.env, cacheDir: folder.cache });
	expect(found.map(({ path }) => path)).toEqual(expected);
	expect(found.map(({ other }) => other?.map(({ word, matched }) => `${word}: ${matched}`).join(", "))).toEqual([
		undefined,
		"settings: setting",
		"fastTesting: fast-testing",
		"fastTesting: fastTseting",
		"fastTesting: fast_tested, settings: setting",
	]);
});

test("ten sessions with the words as typed are enough", async () => {
	const folder = tempAgentDir();
	const write = (index: number, text: string) => {
		const messages = [{ role: "user", text }] as const;
		const plan = { number: String(index).padStart(4, "0"), cwd: "/w", endMs: Date.UTC(2026, 1, 1), messages };
		folder.write(`--w--/${index}.jsonl`, lines(...conversation(plan).lines));
	};
	const options = { env: folder.env, cacheDir: folder.cache };
	for (let index = 0; index < 9; index++) write(index, "crashing again");
	write(100, "it crashed");
	expect((await searchAll("crashing", options)).map(({ other }) => other?.length ?? 0)).toEqual([
		...Array(9).fill(0),
		1,
	]);
	write(9, "crashing again");
	expect(await searchAll("crashing", options)).toHaveLength(10);
	expect(await searchAll('"crashing" again', options)).toHaveLength(10);
});

test.each([
	['"migrating" users', 0],
	["migrating users", 1],
	["migrating -users", 0],
	["migration -indexes", 1],
	["name:migrating", 0],
	["title:migrating", 0],
	["re:migrating", 0],
	["role:user migrating", 1],
	["role:tool migrating", 0],
	["migrating is:named", 0],
	["migrating before:2026-01-01", 0],
])("%s finds %i", async (query, count) => {
	expect(await searchAll(query, options)).toHaveLength(count);
});
