import { homedir } from "node:os";
import packageFile from "../../package.json" with { type: "json" };
import { fieldsOf, textOf } from "../app/conversation/fields.ts";
import { conversationLeaf } from "../app/conversation/leaf.ts";
import {
	placeName,
	type SavePlace,
	type ShareFormat,
	savePlace,
	saveShare,
	sharePieces,
} from "../app/effects/save-share.ts";
import { leftOutLines, pictureLines } from "../app/share/notice-lines.ts";
import { type PreparedShare, prepareShare } from "../app/share/prepare-share.ts";
import { formatSize } from "../app/text/format.ts";
import { TimeSlice } from "../shared/time-slice.ts";
import { explain } from "../store/files/store-error.ts";
import { readChecked } from "../store/held/read-checked.ts";
import { EXIT } from "./exit-code.ts";
import { findEntry, findTarget, type Target } from "./find-target.ts";
import { type Allowed, allowedKinds, findingLines, findingsJson } from "./findings.ts";
import type { Given } from "./given.ts";
import { jsonLines } from "./json.ts";
import { noteMistake } from "./mistake.ts";
import { note, printJsonText, printPath, printPieces, remark } from "./output.ts";
import { withProgressNote } from "./progress-note.ts";

/** What "--out" means when everything goes to stdout. */
const STDOUT = "-";

/** Saves sessions as Markdown or as pages, with what is not for everybody masked; returns the exit code. */
export async function exportSessions(given: Given): Promise<number> {
	const { words, out = ".", json } = given;
	const mistake = checkOut(given);
	const allowed = allowedKinds(given.allow);
	if (mistake !== undefined || "mistake" in allowed) {
		noteMistake(mistake === undefined && "mistake" in allowed ? allowed : { mistake: mistake ?? "" });
		return EXIT.failed;
	}
	const targets: Target[] = [];
	for (const word of words) {
		const found = await findTarget(word, given, { archived: true });
		if ("mistake" in found) {
			noteMistake(found);
			return EXIT.failed;
		}
		targets.push(found);
	}
	const format: ShareFormat = given.html || /\.html?$/i.test(out) ? "html" : "markdown";
	const written: object[] = [];
	let failed = 0;
	for (const target of targets) {
		const prepared = await preparedFor(target, given, allowed);
		if (prepared === undefined) {
			failed++;
			continue;
		}
		if (targets.length > 1) remark(`${prepared.title}:`);
		const pictures = format === "html" ? pictureLines(prepared) : [];
		for (const line of [...findingLines(prepared), ...leftOutLines(prepared), ...pictures]) remark(line);
		const saved = await save(prepared, format, out, targets.length > 1);
		if (saved === undefined) failed++;
		else if (saved !== STDOUT) {
			written.push({ ...shareJson(prepared, target, format), ...saved });
			remark(`Saved ${prepared.title} (${formatSize(saved.bytes)})`);
			if (!json) await printPath(saved.path);
		}
	}
	if (json) await printJsonText(jsonLines(written));
	return failed === 0 ? EXIT.ok : EXIT.failed;
}

function checkOut({ out, words, json }: Given): string | undefined {
	if (out !== STDOUT) return undefined;
	if (json) return "--json says where files were written: it does not go with --out -";
	return words.length > 1 ? "only one session can be written to stdout: --out - goes with one SESSION" : undefined;
}

/** What is to be shared of a session; undefined, and told, where it cannot be read or there is nothing. */
async function preparedFor(target: Target, given: Given, allowed: Allowed): Promise<PreparedShare | undefined> {
	try {
		return await withProgressNote(prepare(target, given, allowed), () => `Reading ${target.path} …`);
	} catch (error) {
		note(`cannot export ${target.path}: ${explain(error)}`);
		return undefined;
	}
}

async function prepare(target: Target, { all = false }: Given, allowed: Allowed): Promise<PreparedShare | undefined> {
	const session = await readChecked(target.path);
	const found = target.entry === undefined ? undefined : findEntry(session.entries, target.entry, target.path);
	if (found !== undefined && "mistake" in found) {
		noteMistake(found);
		return undefined;
	}
	const entryId = found?.id ?? conversationLeaf(session);
	if (entryId === undefined) throw new Error("there is nothing in it");
	return new TimeSlice().run(prepareShare({ session, entryId, all, allowed, home: homedir() }));
}

/** Where it was saved; undefined, and told, where that cannot be. */
async function save(prepared: PreparedShare, format: ShareFormat, out: string, isSeveral: boolean) {
	const pieces = await sharePieces(prepared, format, { version: packageFile.version, now: Date.now() });
	if (out === STDOUT) {
		await printPieces(pieces());
		return STDOUT;
	}
	let place: SavePlace | undefined;
	try {
		place = await savePlace(out, format, isSeveral);
		const { path, size } = await saveShare(prepared, pieces, place);
		return { path, bytes: size };
	} catch (error) {
		note(`cannot write ${place === undefined ? out : placeName(place)}: ${explain(error)}`);
		return undefined;
	}
}

function shareJson(prepared: PreparedShare, { path }: Target, format: ShareFormat): object {
	const { shared, title, survey, groups } = prepared;
	return {
		session: path,
		id: textOf(fieldsOf(shared.session.header).id),
		title,
		format,
		entries: survey.entries,
		leftOut: { branches: survey.leftOutBranches, entries: survey.leftOutEntries },
		pictures: survey.images,
		findings: groups.flatMap(findingsJson),
	};
}
