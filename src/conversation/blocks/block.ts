import { type Fields, fieldsOf } from "../../store/format/fields.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Tone } from "../../ui/text/line.ts";
import type { Place } from "../entries/place.ts";
import type { Step } from "../entries/step.ts";
import type { FileEdit } from "./file-edit.ts";

/**
 * A part of what an entry says or did, for every painter: the reader, the HTML page, Markdown. Texts are as they are in the
 * session, of any length: a painter makes them safe, and decides what it folds and what it leaves out. `name` tells apart what
 * folds in one entry.
 */
export type EntryBlock =
	/** Who speaks; of an answer also how the model thought, how long it took, and its usage. */
	| {
			readonly type: "speaker";
			readonly of: "prompt" | "answer" | "message";
			readonly name: string;
			readonly facts: readonly string[];
			readonly usage: unknown;
	  }
	/** What changes from here on, or is noted: "model anthropic/claude-sonnet-4-5". `below` belongs to it. */
	| {
			readonly type: "divider";
			readonly text: string;
			readonly tone: "summary" | "muted";
			readonly below?: readonly EntryBlock[];
	  }
	/** A text in Markdown. That of a prompt may be empty. */
	| { readonly type: "prose"; readonly of: "prompt" | "answer" | "summary"; readonly text: string }
	/** A text that is not Markdown. */
	| { readonly type: "text"; readonly text: string }
	/** What the model thought; empty if the provider withholds it. */
	| { readonly type: "thought"; readonly name: string; readonly text: string; readonly durationMs: number | undefined }
	/** Why an answer is not whole: "failed", and the error. */
	| { readonly type: "stop"; readonly text: string; readonly error: string; readonly tone: Tone }
	/** A remark about the entry, in one or more lines. */
	| { readonly type: "note"; readonly text: string; readonly tone: Tone }
	| { readonly type: "image"; readonly image: Fields }
	/** A value of a type that is not known; without a title it is all of the entry. */
	| { readonly type: "json"; readonly title: string; readonly text: string }
	/** Something long that nobody misses as long as its title is there. */
	| {
			readonly type: "fold";
			readonly name: string;
			readonly title: string;
			readonly text: () => string;
			readonly isJson: boolean;
	  }
	/** A system message. `isEntry`: it is the whole entry, not part of a compaction. */
	| {
			readonly type: "system";
			readonly message: Fields;
			readonly isEntry: boolean;
			readonly blocks: readonly EntryBlock[];
	  }
	/** A tool call or a command of the person, and what came of it. */
	| { readonly type: "step"; readonly step: Step; readonly blocks: readonly EntryBlock[] }
	/** The command of a shell: "$ npm test". */
	| { readonly type: "command"; readonly verb: string; readonly text: string }
	/** Lines of what was asked for, or of what a tool asked other tools for. */
	| { readonly type: "lines"; readonly name: string; readonly text: string }
	| { readonly type: "change"; readonly name: string; readonly edit: FileEdit }
	/** Code, or a file that was read. `language`: as `languageOfPath` names it. */
	| { readonly type: "code"; readonly name: string; readonly text: string; readonly language: string | undefined }
	/** What a tool printed. `isSentence`: it is the error of a tool, not the output of a program. */
	| {
			readonly type: "output";
			readonly name: string;
			readonly text: string;
			readonly isFailure: boolean;
			readonly isSentence: boolean;
	  };

export type BlockOf<Type extends EntryBlock["type"]> = Extract<EntryBlock, { readonly type: Type }>;

export interface EntryContext {
	readonly session: Session;
	/** Where its paths are seen from. */
	readonly place: Place;
}

export function messageFields(entry: SessionEntry): Fields {
	const fields = fieldsOf(entry);
	return entry.type === "message" ? fieldsOf(fields.message) : fields;
}
