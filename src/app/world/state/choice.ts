/*
 * What a browser that was started for a choice (`pi-grove pick`, `/grove` in pi) reports to its parent. Only types: the pi
 * extension (`extensions/`) imports them too, and nothing of this file is in the package.
 */

/** What the person chose, which ended the browser. */
export type Choice =
	/** Resume at the leaf, or at `entryId`. `text`: the prompt there, put into the editor. The person has agreed to stop a running turn. */
	| {
			readonly action: "resume";
			readonly path: string;
			readonly cwd: string;
			readonly entryId?: string;
			readonly text?: string;
	  }
	/** Go to an entry of the session that is open in pi, once a running turn has ended. Only inside pi. */
	| { readonly action: "goto"; readonly path: string; readonly entryId: string }
	/** Fork pi's open session at an entry; only inside pi. "before" puts the prompt into the editor instead. A running turn is stopped. */
	| {
			readonly action: "fork";
			readonly path: string;
			readonly entryId: string;
			readonly position: "before" | "at";
	  }
	/** Put a prompt or a command of any session into pi's editor, without sending it. Only inside pi. */
	| { readonly action: "edit"; readonly text: string }
	/** Insert a reference to a session or an entry into pi's editor, at its cursor. Only inside pi. */
	| { readonly action: "reference"; readonly text: string; readonly path: string; readonly entryId?: string };

/** What pi passes in `PI_GROVE_HOST`, as JSON. The browser must be pi's own child: its parent is taken to have the session open. */
export interface HostInfo {
	/** Incremented when messages change their meaning; a browser that does not know the number reports that. */
	readonly protocol: 1;
	/** The bidirectional descriptor for the lines below; when it is closed the browser ends without a choice. */
	readonly fd: number;
	readonly pi: string;
	readonly open: OpenInHost;
	readonly busy: boolean;
	/** pi's colors, resolved (`ctx.ui.theme.colors`, since 0.99); missing in older versions. */
	readonly theme?: {
		readonly colors: Readonly<Record<string, string | number>>;
		readonly appearance: "dark" | "light";
	};
}

export interface OpenInHost {
	readonly id: string;
	readonly cwd: string;
	/** Missing until pi creates the file, with the first prompt. */
	readonly path?: string;
	/** The entry that pi continues from; null before the first one. */
	readonly leaf: string | null;
}

/** One line of JSON, from the browser to pi. */
export type HostRequest =
	/** A change of the open session, which only pi may write; answered with the same number within ten seconds. */
	| ({ readonly request: number } & HostChange)
	/** The last line: what was chosen. Without it, nothing was. */
	| { readonly choice: Choice };

/** A change of the open session. An empty name clears the name; a label of null removes the label. */
export type HostChange =
	| { readonly action: "rename"; readonly name: string }
	| { readonly action: "label"; readonly entryId: string; readonly label: string | null };

/** One line of JSON, from pi to the browser. */
export type HostAnswer =
	/** Done, or the reason why not, as a sentence. */
	| { readonly answer: number; readonly error?: string }
	/** The open session has changed. */
	| { readonly busy: boolean; readonly open: OpenInHost };
