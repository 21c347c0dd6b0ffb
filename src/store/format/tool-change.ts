import { isObject } from "../../shared/json.ts";
import { resolvePath, sessionHome } from "../../shared/paths.ts";
import { parseJson } from "./parse.ts";

export interface Replacement {
	readonly oldText: string;
	readonly newText: string;
}

/** The change that a call of pi's `edit` or `write` requests; `path` is as the model wrote it. */
export type ToolChange =
	| { readonly tool: "write"; readonly path: string; readonly content: string }
	| {
			readonly tool: "edit";
			readonly path: string;
			readonly edits: readonly Replacement[];
			/** A single replacement beside the path, as in pi before `edits` existed. */
			readonly isOldForm: boolean;
	  };

/** pi's tools that change a file named in their arguments. */
export const CHANGING_TOOLS: ReadonlySet<string> = new Set(["edit", "write"]);

/**
 * The change that a call requests; undefined for any other tool, and for arguments that pi's tools refuse. If a model sends
 * something else than a list of replacements, it is read as pi reads it (1.5.2): the list as JSON text, a single replacement,
 * one beside the path.
 */
export function toolChange(tool: unknown, args: unknown): ToolChange | undefined {
	if (!isObject(args)) return undefined;
	const path = textOf(args.path) ?? textOf(args.file_path);
	if (path === undefined || path === "") return undefined;
	if (tool === "write") {
		const content = textOf(args.content);
		return content === undefined ? undefined : { tool, path, content };
	}
	if (tool !== "edit") return undefined;
	const listed = replacementsIn(args.edits);
	const beside = replacementIn(args);
	if (listed === undefined || (listed.length === 0 && beside === undefined)) return undefined;
	const edits = beside === undefined ? listed : [...listed, beside];
	return { tool, path, edits, isOldForm: args.edits === undefined };
}

/** Undefined if any item is not a replacement. */
function replacementsIn(edits: unknown): readonly Replacement[] | undefined {
	if (edits === undefined) return [];
	const value = typeof edits === "string" ? parseJson(edits) : edits;
	const list = Array.isArray(value) ? value : [value];
	const replacements = list.map(replacementIn);
	return replacements.every((one) => one !== undefined) ? replacements : undefined;
}

function replacementIn(value: unknown): Replacement | undefined {
	if (!isObject(value)) return undefined;
	const [oldText, newText] = [textOf(value.oldText), textOf(value.newText)];
	return oldText === undefined || newText === undefined ? undefined : { oldText, newText };
}

function textOf(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}

/** Characters that pi reads as a space in a path. */
const BLANKS = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;

/**
 * The absolute path that a tool's `path` means, resolved like pi 1.5.2 does on the system of the session: relative to its directory, with
 * "~" (of whom it is, see `sessionHome`) and file URLs, without a leading "@". Undefined for a relative path if the directory is unknown.
 */
export function toolPath(path: string, cwd: string, home: string): string | undefined {
	const plain = path.replace(BLANKS, " ").replace(/^@/, "");
	const isRelative = !/^(?:[/\\~]|[a-z]:[/\\]|file:\/\/)/i.test(plain);
	return cwd === "" && isRelative ? undefined : resolvePath(plain, cwd, sessionHome(cwd, home));
}
