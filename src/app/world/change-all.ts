import type { SessionRow } from "../../catalog/model/row.ts";
import type { Shown } from "./outcome.ts";

/** What is done to each of several sessions, one after the other, as one step for undo. */
export type ChangeOfAll =
	/** To the system's trash. */
	| { readonly type: "trash" }
	/** Sets the label of the entry at which the conversation goes on; "" clears it. */
	| { readonly type: "label"; readonly label: string }
	/** Copies each for the project in the directory that is named here by the session's path. */
	| { readonly type: "fork"; readonly places: Readonly<Record<string, string>> }
	/** The same, and the session itself goes into the archive: nothing is in the list twice. */
	| { readonly type: "fix"; readonly places: Readonly<Record<string, string>> }
	/** Makes a repaired copy of each, beside it, and moves the damaged one to the system's trash. */
	| { readonly type: "repair" };

/** A change of several sessions, if they are still as shown. */
export interface ChangeAllEffect {
	readonly type: "change-all";
	readonly change: ChangeOfAll;
	readonly sessions: readonly Shown[];
}

/** Saves the conversation of each of these sessions as a Markdown file in a new directory. */
export interface ExportAllEffect {
	readonly type: "export-all";
	readonly rows: readonly SessionRow[];
}
