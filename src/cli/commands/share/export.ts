import {
	type SaveTarget,
	type ShareFormat,
	saveShare,
	sharePieces,
} from "../../../app/features/excerpts/effects/masked-share.ts";
import { fieldsOf, textOf } from "../../../conversation/entries/fields.ts";
import type { PreparedShare } from "../../../conversation/share/prepare-share.ts";
import { explain } from "../../../store/files/store-error.ts";
import { formatSize } from "../../../ui/text/format.ts";
import { quote } from "../../../ui/text/width.ts";
import type { Given } from "../../arguments/given.ts";
import { findTarget } from "../../find/find-target.ts";
import { readTarget } from "../../find/read-target.ts";
import { EXIT } from "../../print/exit-code.ts";
import { jsonLines } from "../../print/json.ts";
import { failWith, noteMistake } from "../../print/mistake.ts";
import { note, printJsonText, printPath, printPieces, remark } from "../../print/output.ts";
import { withProgressNote } from "../../print/progress-note.ts";
import { saveTarget, targetPath } from "./save-target.ts";
import { allowedKinds, findingsJson, printShareNotes, shareOf } from "./share-target.ts";

/** The value of `--out` that means stdout. */
const STDOUT = "-";

/** Saves sessions as Markdown or HTML pages, with private data masked; returns the exit code. */
export async function exportSessions(given: Given): Promise<number> {
	const { words, out = ".", json } = given;
	const mistake = checkOut(given);
	const allowed = allowedKinds(given.allow);
	if (mistake !== undefined) return failWith({ mistake });
	if ("mistake" in allowed) return failWith(allowed);
	for (const word of words) {
		const found = await findTarget(word, given, { archived: true });
		if ("mistake" in found) return failWith(found);
	}
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

function checkOut({ out, words, json }: Given): string | undefined {
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
