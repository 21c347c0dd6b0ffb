import { type RebuiltFile, rebuildFile } from "../../../edits/rebuild-file.ts";
import { filePaths } from "../../../edits/session-files.ts";
import { resolvePath } from "../../../store/files/paths.ts";
import { toolPath } from "../../../store/format/tool-change.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import type { Given } from "../../arguments/arguments.ts";
import { findEntry, type ReadTarget, readTarget } from "../../find/find-target.ts";
import { jsonText } from "../../print/json.ts";
import {
	candidateLines,
	EXIT,
	failWith,
	type Mistake,
	printJsonText,
	printPieces,
	remark,
} from "../../print/output.ts";

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
export async function showFile(given: Given): Promise<number> {
	const [word = ""] = given.words;
	const wrong = checkOptions(given);
	const read = wrong === undefined ? await readTarget(word, given) : { mistake: wrong };
	const request = "mistake" in read ? read : requestOf(read, given);
	if ("mistake" in request) return failWith(request);
	const { session, path, entryId, home } = request;
	const rebuilt = rebuildFile(session, path, entryId, home);
	const { answer, why, base = null, edits, commands, texts } = rebuilt;
	const [text, ...more] = texts;
	if (given.json) await printJsonText(jsonText({ path, entryId, answer, why, base, edits, commands, texts }, "\t"));
	else if (text !== undefined && more.length === 0) await printPieces([text]);
	if (!given.json) remark(sentenceOf(rebuilt));
	return text !== undefined && more.length === 0 ? EXIT.ok : EXIT.nothing;
}

function checkOptions(given: Given): string | undefined {
	if (given.file === undefined) return "--at names an entry for --file FILE";
	const odd = OTHER_OPTIONS.find((option) => given[option] !== undefined);
	return odd === undefined ? undefined : `--${odd === "maxChars" ? "max-chars" : odd} means nothing with --file`;
}

interface FileRequest {
	readonly session: Session;
	readonly path: string;
	readonly entryId: string;
	readonly home: string;
}

function requestOf({ session, entry, home, path: shown }: ReadTarget, { file = "", at }: Given): FileRequest | Mistake {
	if (at !== undefined && entry !== undefined)
		return { mistake: "--at and #ENTRY both name an entry; give only one of them" };
	const found = at === undefined ? entry : findEntry(session.entries, at.replace(/^#/, ""), shown);
	if (found !== undefined && "mistake" in found) return found;
	const path = pathOf(file, { session, home, path: shown });
	if (typeof path !== "string") return path;
	return { session, path, entryId: found?.id ?? session.tree.leafId ?? "", home };
}

/** Resolves a typed path: from the session's directory, from the current one, or as the unique end of a path. */
function pathOf(
	file: string,
	{ session, home, path: shown }: Pick<ReadTarget, "session" | "home" | "path">,
): string | Mistake {
	const known = filePaths(session, home);
	const cwd = session.header?.cwd ?? "";
	const direct = [toolPath(file, cwd, home), resolvePath(file)];
	const found = direct.find((path) => path !== undefined && known.has(path));
	if (found !== undefined) return found;
	const ending = [...known].filter((path) => path.endsWith(`/${file.replace(/^(?:\.\/)+/, "")}`));
	const [only] = ending;
	if (only !== undefined && ending.length === 1) return only;
	const candidates = ending.length > 0 ? ending : [...known];
	return {
		mistake:
			ending.length > 0
				? `${formatCounted(ending.length, "file")} of ${shown} end with ${file}; name one in full:`
				: `${shown} neither read nor changed ${file}${candidates.length > 0 ? "; it did with:" : ""}`,
		candidates: () => candidateLines(candidates, (path) => path),
	};
}

/** "exact: write of 5bc21ad0, 3 edits since", "unknown: …". */
function sentenceOf({ answer, why, base, edits, texts }: RebuiltFile): string {
	if (base === undefined || texts.length === 0) return `${answer}: ${why}`;
	const since = edits === 0 ? "" : `, ${formatCounted(edits, "edit")} since`;
	return `${answer}: ${base.tool} of ${base.entryId}${since}${why === "" ? "" : `; ${why}`}`;
}
