/*
 * What a browser that was started for a choice (`pi-grove pick`, `/grove` in pi) reports to its parent. Only types: the pi
 * extension (`extensions/`) imports them too, and nothing of this file is in the package.
 */

/** What the person chose, which ended the browser. */
export type FinalChoice =
	/**
	 * Resume this session at its leaf; `entryId` is set only if an entry was chosen instead of the whole session. `text`: the
	 * prompt at that entry, put into the editor to be sent again. If a turn was running, the person has agreed to stop it.
	 */
	| {
			readonly action: "resume";
			readonly path: string;
			readonly cwd: string;
			readonly entryId?: string;
			readonly text?: string;
	  }
	/** Go to an entry of the session that is open in pi, once a running turn has ended. Only inside pi. */
	| { readonly action: "goto"; readonly path: string; readonly entryId: string }
	/**
	 * Fork the session that is open in pi at an entry. Only inside pi. "before" leaves the prompt out and puts it into the
	 * editor. A running turn is stopped; the person has been warned.
	 */
	| {
			readonly action: "fork";
			readonly path: string;
			readonly entryId: string;
			readonly position: "before" | "at";
	  }
	/** Make a new session in pi, and put a text into its editor. A running turn is stopped; the person has been warned. Only inside pi. */
	| { readonly action: "new"; readonly text: string }
	/** Put a prompt or a command of any session into pi's editor, without sending it. Only inside pi. */
	| { readonly action: "edit"; readonly text: string }
	/** Insert a reference to a session or an entry into pi's editor, at its cursor. Only inside pi. */
	| { readonly action: "reference"; readonly text: string; readonly path: string; readonly entryId?: string };

/**
 * What pi passes to the browser that it starts: JSON in the environment variable `PI_GROVE_HOST`. The browser must be pi's
 * own child (no shell in between), since its parent process is taken to be the one that has the session open.
 */
export interface HostInfo {
	/** Incremented when messages change their meaning; a browser that does not know the number reports that. */
	readonly protocol: 1;
	/** The bidirectional descriptor for the lines below; when it is closed the browser ends without a choice. */
	readonly fd: number;
	readonly pi: string;
	readonly open: OpenInHost;
	readonly busy: boolean;
	/** What to show of the open session; its tree, or the list, if missing. */
	readonly opens?: HostPage;
	/** pi's colors, resolved (`ctx.ui.theme.colors`, since 0.99); missing in older versions. */
	readonly theme?: {
		readonly colors: Readonly<Record<string, string | number>>;
		readonly appearance: "dark" | "light";
	};
}

/** What its session changed, or the question whether to take back what its last turn changed. */
export type HostPage = "changes" | "revert";

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
	/** The last line: the choice. Without this line, nothing was chosen. */
	| { readonly choice: FinalChoice };

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
