import { type RebuiltFile, rebuildFile } from "../../../edits/rebuild-file.ts";
import { filePaths } from "../../../edits/session-files.ts";
import { resolvePath } from "../../../store/files/paths.ts";
import { toolPath } from "../../../store/format/tool-change.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { findEntry, type ReadTarget, readTarget } from "../../find/find-target.ts";
import { jsonText } from "../../print/json.ts";
import { candidateLines, EXIT, Mistake, printJsonText, printPieces, remark } from "../../print/output.ts";

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

/** Prints a file as it was at an entry of a session; returns the exit code. */
export async function showFile(args: Arguments): Promise<number> {
	const [word = ""] = args.words;
	checkOptions(args);
	const { session, path, entryId, home } = requestOf(await readTarget(word, args), args);
	const rebuilt = rebuildFile(session, path, entryId, home);
	const { answer, why, base = null, edits, commands, texts } = rebuilt;
	const [text, ...more] = texts;
	if (args.json) await printJsonText(jsonText({ path, entryId, answer, why, base, edits, commands, texts }, "\t"));
	else if (text !== undefined && more.length === 0) await printPieces([text]);
	if (!args.json) remark(sentenceOf(rebuilt));
	return text !== undefined && more.length === 0 ? EXIT.ok : EXIT.nothing;
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
}

function requestOf({ session, entry, home, path: sessionPath }: ReadTarget, { file = "", at }: Arguments): FileRequest {
	if (at !== undefined && entry !== undefined)
		throw new Mistake("--at and #ENTRY both name an entry; give only one of them");
	const named = at === undefined ? entry : findEntry(session.entries, at.replace(/^#/, ""), sessionPath);
	const path = pathOf(file, { session, home, path: sessionPath });
	return { session, path, entryId: named?.id ?? session.tree.leafId ?? "", home };
}

/** Resolves a typed path: from the session's directory, from the current one, or as the unique end of a path. */
function pathOf(
	file: string,
	{ session, home, path: sessionPath }: Pick<ReadTarget, "session" | "home" | "path">,
): string {
	const paths = filePaths(session, home);
	const cwd = session.header?.cwd ?? "";
	const direct = [toolPath(file, cwd, home), resolvePath(file)].find((path) => path !== undefined && paths.has(path));
	if (direct !== undefined) return direct;
	const ending = [...paths].filter((path) => path.endsWith(`/${file.replace(/^(?:\.\/)+/, "")}`));
	const [only, ...others] = ending;
	if (only !== undefined && others.length === 0) return only;
	throw new Mistake(
		only === undefined
			? `${sessionPath} neither read nor changed ${file}${paths.size > 0 ? "; its files are:" : ""}`
			: `${formatCounted(ending.length, "file")} of ${sessionPath} end with ${file}; name one in full:`,
		() => candidateLines(only === undefined ? [...paths] : ending, (path) => path),
	);
}

/** "exact: write of 5bc21ad0, 3 edits since", "unknown: …". */
function sentenceOf({ answer, why, base, edits, texts }: RebuiltFile): string {
	if (base === undefined || texts.length === 0) return `${answer}: ${why}`;
	const since = edits === 0 ? "" : `, ${formatCounted(edits, "edit")} since`;
	return `${answer}: ${base.tool} of ${base.entryId}${since}${why === "" ? "" : `; ${why}`}`;
}
