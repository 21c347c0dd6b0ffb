import { appendFileSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { ENOUGH, withOtherForms } from "../../../src/catalog/query/other-forms.ts";
import { followSearch, queryOf } from "../../support/follow-search.ts";
import { assistant, header, lines, toolResult, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const said = (text: string, second = 1) => lines(header({ cwd: "/w" }), user("a1", null, second, text));

async function listed(folder: ReturnType<typeof tempAgentDir>) {
	const catalog = openCatalog({
		sessionRoots: folder.sessionRoots,
		cacheDir: folder.cache,
		watch: false,
		processes: false,
	});
	startCatalog(catalog);
	await catalog.listed();
	return catalog;
}

test("sessions with other forms follow those as typed, with what was found for which word; a change moves them", async () => {
	const folder = tempAgentDir();
	const typed = folder.write("--w--/typed.jsonl", said("We are migrating the tables"));
	const other = folder.write("--w--/other.jsonl", said("The migration of the tables failed"));
	folder.write("--w--/none.jsonl", said("Something else"));
	const catalog = await listed(folder);
	const search = followSearch(catalog, "migrating tables");
	onTestFinished(() => search.stop());
	expect((await search.settled()).map(({ path }) => path)).toEqual([typed]);
	expect(await search.others()).toMatchObject([
		{ path: other, other: [{ word: "migrating", matched: "migration" }], count: 1, more: false },
	]);
	// Its hits are those of the forms, too.
	const widened = withOtherForms(queryOf("migrating tables"));
	if (widened === undefined) throw new Error("migrating has other forms");
	const { hits, best } = await catalog.hits(widened, other);
	expect([hits.map(({ entryId }) => entryId), best?.snippet.text]).toEqual([
		["a1"],
		"The migration of the tables failed",
	]);

	appendFileSync(other, `${assistant("a2", "a1", 2, "migrating them again")}\n`);
	await catalog.refresh();
	await search.until("it to be found as typed", () => search.found.get(other)?.other === undefined);
	expect((await search.settled()).map(({ path }) => path).sort()).toEqual([other, typed].sort());
	writeFileSync(typed, said("We migrated the tables", 3));
	await catalog.refresh();
	await search.until("it to be found in another form", () => search.found.get(typed)?.other !== undefined);
	expect(await search.others()).toMatchObject([{ path: typed, other: [{ word: "migrating", matched: "migrated" }] }]);
	writeFileSync(typed, said("Nothing of it", 4));
	await catalog.refresh();
	await search.until("it to be lost", () => !search.found.has(typed));
	expect(await search.others()).toEqual([]);
});

test("quotes and fields stay as typed, and enough sessions as typed are all", async () => {
	const folder = tempAgentDir();
	folder.write("--w--/other.jsonl", said("The migration failed"));
	folder.write(
		"--w--/tool.jsonl",
		lines(header({ cwd: "/w" }), user("a1", null, 1, "x"), toolResult("a2", "a1", 2, "ok")),
	);
	for (let at = 0; at < ENOUGH; at++) folder.write(`--w--/${at}.jsonl`, said(`crashing ${at}`));
	folder.write("--w--/crash.jsonl", said("a crash"));
	const catalog = await listed(folder);
	for (const [text, typed, others] of [
		['"migrating"', 0, 0],
		["migrating", 0, 1],
		["in:output migrating", 0, 0],
		["crashing", ENOUGH, 0],
		['crashing -"crashing 9"', ENOUGH - 1, 1],
	] as const) {
		const search = followSearch(catalog, text);
		const found = [text, (await search.settled()).length, (await search.others()).length];
		search.stop();
		expect(found).toEqual([text, typed, others]);
	}
});

test("with enough sessions as typed, those with other forms that stand there stay while they are true", async () => {
	const folder = tempAgentDir();
	for (let at = 0; at < ENOUGH - 1; at++) folder.write(`--w--/${at}.jsonl`, said(`crashing ${at}`));
	const other = folder.write("--w--/crash.jsonl", said("it crashed"));
	const none = folder.write("--w--/none.jsonl", said("nothing"));
	const catalog = await listed(folder);
	const search = followSearch(catalog, "crashing");
	onTestFinished(() => search.stop());
	await search.settled();
	expect((await search.others()).map(({ path }) => path)).toEqual([other]);
	writeFileSync(none, said("now crashing too", 3));
	await catalog.refresh();
	await search.until("one more as typed", () => search.found.has(none));
	expect((await search.settled()).length).toBe(ENOUGH);
	expect((await search.others()).map(({ path }) => path)).toEqual([other]);
	writeFileSync(other, said("all is well now", 4));
	await catalog.refresh();
	await search.until("it to be lost", () => !search.found.has(other));
});
