import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { findRipgrep } from "../../../src/catalog/search/find-ripgrep.ts";
import { grep } from "../../../src/catalog/search/grep.ts";
import { GrepAhead } from "../../../src/catalog/search/grep-ahead.ts";
import { findAll } from "../../../src/catalog/search-all.ts";
import type { SearchResults } from "../../../src/catalog/search-rows.ts";
import { countCalls } from "../../support/counted-calls.ts";
import { queryOf } from "../../support/follow-search.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const pass = { patterns: [{ source: "retry", engine: "default" as const }], limit: 8 };
const signal = new AbortController().signal;

/** Sessions directly in a project, and what ripgrep does not find by itself: a link, a link to a directory, an archived one. */
function folder() {
	const dir = tempAgentDir();
	const session = (id: string) => lines(header({ id, cwd: "/p" }), user("e1", null, 1, `retry ${id}`));
	const paths = ["a", "ä b", "c\nd"].map((name) => dir.write(`--p--/${name}.jsonl`, session(name.charAt(0))));
	const elsewhere = join(dir.base, "elsewhere");
	mkdirSync(elsewhere);
	writeFileSync(join(elsewhere, "linked.jsonl"), session("linked"));
	symlinkSync(join(elsewhere, "linked.jsonl"), join(dir.root, "--p--", "link.jsonl"));
	const other = join(dir.base, "other");
	mkdirSync(other);
	writeFileSync(join(other, "below.jsonl"), session("below"));
	symlinkSync(other, join(dir.root, "--link--"));
	return { ...dir, paths };
}

async function pathsOf(ahead: GrepAhead, paths: readonly string[]): Promise<readonly string[]> {
	const found: string[] = [];
	for await (const { path } of grep(await findRipgrep(), { ...pass, paths, signal, ahead })) found.push(path);
	return found.sort();
}

describe("a ripgrep that is started before the files are found", () => {
	test("serves the same pass, each file once, and leaves the others to a ripgrep of their own", async () => {
		const { root, paths, write } = folder();
		const { command } = await findRipgrep();
		const ahead = new GrepAhead(command, pass, { directory: root, depth: 2 }, signal);
		ahead.covers(paths);
		const late = write("--p--/late.jsonl", lines(user("e1", null, 1, "retry")));
		const calls = countCalls();
		const [first = "", ...others] = paths;
		expect(await pathsOf(ahead, [first])).toEqual([first]);
		expect(await pathsOf(ahead, others)).toEqual(others.toSorted());
		expect(calls.started.splice(0)).toEqual([]);
		expect(await pathsOf(ahead, [...paths, late])).toEqual([...paths, late].sort());
		expect(calls.started).toHaveLength(1);
		await ahead.stop();
	});

	test("that fails leaves all files to another", async () => {
		const { root, paths } = folder();
		const { command } = await findRipgrep();
		for (const [program, directory] of [
			["no-such-ripgrep", root],
			[command, join(root, "gone")],
		] as const) {
			const ahead = new GrepAhead(program, pass, { directory, depth: 2 }, signal);
			ahead.covers(paths);
			expect(await pathsOf(ahead, paths)).toEqual(paths.toSorted());
			await ahead.stop();
		}
	});

	test("finds what a search of single files finds, whatever leads to them", async () => {
		const { env, base, paths } = folder();
		const old = Date.now() / 1000 - 60;
		for (const path of paths) utimesSync(path, old, old);
		// Times of changes cannot be set: what was written just now is searched by itself.
		const began = Date.now();
		await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(began + 200));
		const told = ({ results, others, found }: SearchResults) => ({
			results,
			others,
			found: [found.results, found.others].map((some) => some.toSorted()),
		});
		for (const text of ["retry", "retries", "zebra", "retry linked", "session"]) {
			for (const limit of [undefined, 2]) {
				const options = { env, cacheDir: join(base, "none"), limit };
				const early = await findAll(queryOf(text), options);
				expect(told(early)).toEqual(told(await findAll(queryOf(text), { ...options, isAsked: () => true })));
			}
		}
		expect((await findAll(queryOf("retry"), { env, cacheDir: join(base, "none") })).found.results).toHaveLength(5);
	});
});
