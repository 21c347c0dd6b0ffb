import { isObject } from "../../shared/is-object.ts";

/** One text that an edit puts in the place of another. */
export interface Replacement {
	readonly oldText: string;
	readonly newText: string;
}

/** What a call of pi's `edit` or `write` asks for; `path` is as the model wrote it. */
export type ToolChange =
	| { readonly tool: "write"; readonly path: string; readonly content: string }
	| {
			readonly tool: "edit";
			readonly path: string;
			readonly edits: readonly Replacement[];
			/** One replacement beside the path, as pi asked for before it had `edits`. */
			readonly isOldForm: boolean;
	  };

/** The tools of pi that change a file and say which. */
export const CHANGING_TOOLS: ReadonlySet<string> = new Set(["edit", "write"]);

/**
 * What a call asks for; undefined for any other tool, and for arguments that pi's tools refuse. What models send instead of
 * a list of replacements is read as pi reads it (1.5.2): the list as JSON text, a single one, one beside the path.
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

/** Undefined where something is there that is none. */
function replacementsIn(edits: unknown): readonly Replacement[] | undefined {
	if (edits === undefined) return [];
	const value = typeof edits === "string" ? parsed(edits) : edits;
	const list = Array.isArray(value) ? value : [value];
	const replacements = list.map(replacementIn);
	return replacements.every((one) => one !== undefined) ? replacements : undefined;
}

function replacementIn(value: unknown): Replacement | undefined {
	if (!isObject(value)) return undefined;
	const [oldText, newText] = [textOf(value.oldText), textOf(value.newText)];
	return oldText === undefined || newText === undefined ? undefined : { oldText, newText };
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// Not what pi could have used, either.
		return undefined;
	}
}

function textOf(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}
