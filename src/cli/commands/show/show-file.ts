import { diffText } from "../../../conversation/markdown/markdown.ts";
import { fileDiffRows } from "../../../conversation/render/render-diff.ts";
import { loadRenderers } from "../../../conversation/render/renderers.ts";
import { changesIn, editDiff } from "../../../edits/edit-diff.ts";
import { knownFiles } from "../../../edits/files-at.ts";
import { eventName, type Known } from "../../../edits/known.ts";
import type { Ledger } from "../../../edits/ledger.ts";
import { gatherEdits, type SessionEdit } from "../../../edits/session-files.ts";
import { endsWithName, resolvePath } from "../../../shared/paths.ts";
import { runToEnd } from "../../../shared/steps.ts";
import { fileKey } from "../../../shared/system.ts";
import { toolPath } from "../../../store/format/tool-change.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { outputColumns } from "../../../terminal/terminal.ts";
import { formatCounted, formatDayTime } from "../../../ui/text/format.ts";
import { span, strong } from "../../../ui/text/line.ts";
import { cleanLines, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { findEntry, type ReadTarget, readTarget } from "../../find/find-target.ts";
import { Sessions } from "../../find/sessions.ts";
import { jsonText } from "../../print/json.ts";
import { candidateLines, EXIT, Mistake, printJsonText, printLines, printPieces, remark } from "../../print/output.ts";
import { isoOf } from "../blame/read-edits.ts";

/** Options of `show` that do not apply to `--file`. */
const OTHER_OPTIONS = [
	"markdown",
	"tree",
	"all",
	"branch",
	"turn",
	"entry",
	"full",
	"width",
	"maxChars",
	"masked",
	"cwd",
	"runs",
	"header",
] as const;

export async function showFile(args: Arguments): Promise<number> {
	const [word = ""] = args.words;
	checkOptions(args);
	const request = await requestOf(await readTarget(word, args), args);
	const { path, entryId, known } = request;
	const { answer, why, text, edits, commands, isAbsent } = known;
	const isKnown = text !== undefined;
	if (args.json) {
		const diffs = knownEdits(request).map((edit) => {
			const { entryId: id, tool, turn, timeMs } = edit;
			return { entryId: id, tool, turn, time: isoOf(timeMs), diff: diffTextOf(edit, request) };
		});
		await printJsonText(
			jsonText(
				{ path, entryId, answer, why, text: text ?? null, isAbsent, edits, commands: commands.length, known: diffs },
				"\t",
			),
		);
	} else if (isKnown) {
		await printPieces([text]);
		remark(sentenceOf(known));
	} else await printKnown(sentenceOf(known), request);
	return isKnown ? EXIT.ok : EXIT.nothing;
}

/** The edits of the file on the path to the entry. */
function knownEdits({ session, path, entryId, home }: FileRequest): readonly SessionEdit[] {
	return runToEnd(gatherEdits(session, home, entryId)).edits.filter((edit) => fileKey(edit.path) === fileKey(path));
}

function diffTextOf(edit: SessionEdit, { session, home }: FileRequest): string {
	return changesIn(edit, session, home).map(diffText).join("\n");
}

/**
 * Prints why the text is not known, and the edits that are, as diffs: on a terminal; else on stderr, since what reads stdout expects
 * the file.
 */
async function printKnown(sentence: string, request: FileRequest): Promise<void> {
	const edits = knownEdits(request);
	const count = `${formatCounted(edits.length, "edit")} of it ${edits.length === 1 ? "is" : "are"} known`;
	const titleOf = ({ tool, entryId, turn, timeMs }: SessionEdit): string =>
		[`${tool} ${entryId}`, turn === 0 ? "" : `turn ${turn}`, formatDayTime(timeMs)]
			.filter((part) => part !== "")
			.join(" · ");
	const columns = outputColumns();
	if (columns === undefined || edits.length === 0) {
		remark(sentence);
		if (edits.length > 0) remark(`${count}:`);
		for (const one of edits) {
			remark("");
			remark(titleOf(one));
			for (const line of cleanLines(diffTextOf(one, request))) remark(line);
		}
		return;
	}
	const renderers = await loadRenderers();
	await printLines([[span(sanitizeLine(sentence), "warning")], [span(cleanText(`${count}:`))]]);
	for (const one of edits) {
		const diff = editDiff(one, request.session, renderers, request.home);
		const title = [strong(sanitizeLine(titleOf(one)))];
		await printLines([
			[],
			title,
			...fileDiffRows(request.path, diff, columns, false, renderers).map(({ line }) => line),
		]);
	}
}

function checkOptions(args: Arguments): void {
	if (args.file === undefined) throw new Mistake("--at names an entry for --file FILE");
	const odd = OTHER_OPTIONS.find((option) => args[option] !== undefined);
	if (odd !== undefined) throw new Mistake(`--${odd === "maxChars" ? "max-chars" : odd} means nothing with --file`);
}

interface FileRequest {
	readonly session: Session;
	readonly path: string;
	readonly entryId: string;
	readonly home: string;
	readonly known: Known;
}

async function requestOf({ session, entry, home, name, isRemote }: ReadTarget, args: Arguments): Promise<FileRequest> {
	const { file = "", at } = args;
	if (at !== undefined && entry !== undefined)
		throw new Mistake("--at and #ENTRY both name an entry; give only one of them");
	const named = at === undefined ? entry : findEntry(session.entries, at.replace(/^#/, ""), name);
	const entryId = named?.id ?? session.tree.leafId ?? "";
	const rows = isRemote ? [] : await Sessions.of(args).list();
	const requestIn = ({ paths }: Ledger) => [
		{ path: findFile(file, new Set(paths), { session, home, name }), session, entryId },
	];
	const [found] = await knownFiles(requestIn, session, { home, rows, isRemote });
	if (found === undefined) throw new Mistake(`${name} neither read nor changed ${file}`);
	return { session, path: found.path, entryId, home, known: found.known };
}

/** Resolves a typed path: from the session's directory, from the current one, or as the unique end of a path. */
function findFile(
	file: string,
	paths: ReadonlySet<string>,
	{ session, home, name }: Pick<ReadTarget, "session" | "home" | "name">,
): string {
	const cwd = session.header?.cwd ?? "";
	const keys = new Set([toolPath(file, cwd, home) ?? "", resolvePath(file)].map((path) => fileKey(path)));
	const direct = [...paths].find((path) => keys.has(fileKey(path)));
	if (direct !== undefined) return direct;
	const ending = [...paths].filter((path) => endsWithName(path, file));
	const [only, ...others] = ending;
	if (only !== undefined && others.length === 0) return only;
	throw new Mistake(
		only === undefined
			? `${name} neither read nor changed ${file}${paths.size > 0 ? "; its files are:" : ""}`
			: `${formatCounted(ending.length, "file")} of ${name} end with ${file}; name one in full:`,
		() => candidateLines(only === undefined ? [...paths] : ending, (path) => path),
	);
}

/** "exact: written in turn 2, 3 edits since", "unknown: …". */
function sentenceOf({ answer, why, base, edits, isAbsent }: Known): string {
	if (isAbsent) return `${answer}: it did not exist${why === "" ? "" : `; ${why}`}`;
	const source = base === undefined || answer === "unknown" ? "" : eventName(base);
	const since = edits === 0 || source === "" ? "" : `, ${formatCounted(edits, "edit")} since`;
	return `${answer}: ${[`${source}${since}`, why].filter((part) => part !== "").join("; ")}`;
}
