import { mkdir } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import {
	type SaveTarget,
	type ShareFormat,
	saveShare,
	sharePieces,
} from "../../../app/features/excerpts/effects/masked-share.ts";
import { isDirectory } from "../../../app/world/effects/find-program.ts";
import { listCounted } from "../../../catalog/list-all.ts";
import { runsIn } from "../../../catalog/model/session-links.ts";
import { fieldsOf, textOf } from "../../../conversation/entries/fields.ts";
import type { PreparedShare } from "../../../conversation/share/prepare-share.ts";
import { explain } from "../../../store/files/store-error.ts";
import { formatSize } from "../../../ui/text/format.ts";
import { quote } from "../../../ui/text/width.ts";
import type { Given } from "../../arguments/arguments.ts";
import { findTarget, readTarget, type Target } from "../../find/find-target.ts";
import { jsonLines } from "../../print/json.ts";
import {
	EXIT,
	failWith,
	note,
	noteMistake,
	printJsonText,
	printPath,
	printPieces,
	remark,
	withProgressNote,
} from "../../print/output.ts";
import { allowedKinds, findingsJson, printShareNotes, shareOf } from "./share-target.ts";

/** The value of `--out` that means stdout. */
const STDOUT = "-";

/** Saves sessions as Markdown or HTML pages, with private data masked; returns the exit code. */
export async function exportSessions(given: Given): Promise<number> {
	const { out = ".", json } = given;
	const allowed = allowedKinds(given.allow);
	if ("mistake" in allowed) return failWith(allowed);
	const targets: Target[] = [];
	for (const word of given.words) {
		const found = await findTarget(word, given, { archived: true });
		if ("mistake" in found) return failWith(found);
		targets.push(found);
	}
	const words = given.runs ? [...given.words, ...(await runsBelow(targets, given))] : given.words;
	const mistake = checkOut({ ...given, words });
	if (mistake !== undefined) return failWith({ mistake });
	const format: ShareFormat = given.html || /\.html?$/i.test(out) ? "html" : "markdown";
	const written: object[] = [];
	let failed = 0;
	for (const word of words) {
		const read = await readTarget(word, given);
		const prepared = "mistake" in read ? read : await shareOf(read, given, allowed);
		if ("mistake" in prepared) {
			noteMistake(prepared);
			failed++;
			continue;
		}
		if (words.length > 1) remark(`${quote(prepared.title)}:`);
		printShareNotes(prepared, format);
		const saved = await save(prepared, format, out, words.length > 1);
		if (saved === undefined) failed++;
		else if (saved !== STDOUT) {
			written.push({ ...shareJson(prepared, format), ...saved });
			remark(`Saved ${quote(prepared.title)} (${formatSize(saved.bytes)})`);
			if (!json) await printPath(saved.path);
		}
	}
	if (json) await printJsonText(jsonLines(written));
	return failed === 0 ? EXIT.ok : EXIT.failed;
}

/** The paths of all runs below these sessions. */
async function runsBelow(targets: readonly Target[], { sessionDir }: Given): Promise<readonly string[]> {
	const listing = listCounted({ sessionDir, archived: true, blocking: true });
	const runs = runsIn((await withProgressNote(listing, () => "Listing …")).rows);
	const all = new Set(targets.map(({ path }) => path));
	// Grows while it is read.
	for (const path of all) for (const run of runs.get(path) ?? []) all.add(run.path);
	return [...all.difference(new Set(targets.map(({ path }) => path)))];
}

function checkOut({ out, words, json }: Pick<Given, "out" | "words" | "json">): string | undefined {
	if (out !== STDOUT) return undefined;
	if (json) return "--json says where files were written: it does not go with --out -";
	return words.length > 1 ? "only one session can be written to stdout: --out - goes with one SESSION" : undefined;
}

/** Returns where it was saved; undefined if that failed, which is reported. */
async function save(prepared: PreparedShare, format: ShareFormat, out: string, isSeveral: boolean) {
	const pieces = await sharePieces(prepared, format);
	if (out === STDOUT) {
		await printPieces(pieces());
		return STDOUT;
	}
	let target: SaveTarget | undefined;
	try {
		target = await saveTarget(out, format, isSeveral);
		const { title, shared } = prepared;
		const saving = saveShare({ of: "branch", ...shared }, { title, pieces }, target);
		const { path, size } = await withProgressNote(saving, () => `Writing ${quote(title)} …`);
		return { path, bytes: size };
	} catch (error) {
		note(`cannot write ${target === undefined ? out : targetPath(target)}: ${explain(error)}`);
		return undefined;
	}
}

function shareJson(prepared: PreparedShare, format: ShareFormat): object {
	const { shared, title, survey, groups } = prepared;
	return {
		session: shared.session.path,
		id: textOf(fieldsOf(shared.session.header).id),
		title,
		format,
		entries: survey.entries,
		leftOut: { branches: survey.leftOutBranches, entries: survey.leftOutEntries },
		pictures: survey.images,
		findings: groups.flatMap(findingsJson),
	};
}

/** Reads the value of `--out`: a file, or a directory, which is created if it ends in a slash or several files go into it. */
async function saveTarget(out: string, format: ShareFormat, isSeveral: boolean): Promise<SaveTarget> {
	const path = resolve(out);
	const ending = format === "html" ? "html" : "md";
	if (await isDirectory(path)) return { directory: path, ending };
	if (isSeveral || /[/\\]$/.test(out)) {
		await mkdir(path, { recursive: true, mode: 0o700 });
		return { directory: path, ending };
	}
	if (!(await isDirectory(dirname(path)))) throw new Error(`there is no directory ${dirname(path)}`);
	const extension = extname(path);
	return { directory: dirname(path), name: basename(path, extension), ending: extension.slice(1) || ending };
}

/** The path of a target, for a message. */
function targetPath({ directory, name, ending }: SaveTarget): string {
	return name === undefined ? directory : join(directory, `${name}.${ending}`);
}
