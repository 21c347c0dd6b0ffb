import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { listCounted } from "../../../src/catalog/list-all.ts";
import { familyFiles } from "../../support/family.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** Writes the family whose run has a session beside that of its parent, which alone says so. */
function withSession() {
	const folder = tempAgentDir();
	const [parent = "", run = ""] = familyFiles("agent-session").map(({ path, text }) =>
		folder.write(join("--p--", basename(path)), text),
	);
	return { folder, parent, run };
}

test("a session beside its parent is a run once the parent has been counted, and at the next start", async () => {
	const { folder, parent, run } = withSession();
	const place = { parent, runId: undefined, index: undefined, isFork: false };
	for (const start of ["the first", "the next"]) {
		const catalog = openCatalog({
			sessionRoots: folder.sessionRoots,
			cacheDir: folder.cache,
			watch: false,
			processes: false,
		});
		const seen = startCatalog(catalog);
		await catalog.counted();
		await seen.until(`the run at ${start} start`, () => seen.rows.get(run)?.run !== undefined);
		expect(seen.rows.get(run)?.run).toEqual(place);
		expect(seen.rows.get(parent)?.run).toBeUndefined();
		await catalog.close();
	}
	const { env, cache: cacheDir } = folder;
	const { rows } = await listCounted({ env, cacheDir, blocking: true });
	expect(rows.find(({ path }) => path === run)?.run).toEqual(place);
});

test("a family that was copied has its runs once, even if the originals that its reports name are still there", async () => {
	const folder = tempAgentDir();
	const files = familyFiles("nested").filter(({ path }) => !path.includes("subagent-artifacts"));
	const project = dirname(files[0]?.path ?? "");
	const [original, copy] = [join(folder.base, "original"), join(folder.root, "--p--")];
	const listed = files.map(({ path, text }) => {
		for (const directory of [original, copy]) {
			const file = path.replace(project, directory);
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, text.replaceAll(project, original));
		}
		return path.replace(project, copy);
	});
	const catalog = openCatalog({
		sessionRoots: folder.sessionRoots,
		cacheDir: folder.cache,
		watch: false,
		processes: false,
	});
	const seen = startCatalog(catalog);
	await catalog.counted();
	await catalog.close();
	const { env, cache: cacheDir } = folder;
	const { rows } = await listCounted({ env, cacheDir, blocking: true });
	expect(rows.map(({ path }) => path).sort()).toEqual(listed.sort());
	expect([...seen.rows.keys()].sort()).toEqual(listed);
});
