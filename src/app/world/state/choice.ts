/*
 * What a browser that was started for a choice (`pi-grove pick`, `/grove` in pi) tells whoever started it. Only types: the
 * extension of pi (`extensions/`) has them from here too, and nothing of this file is in the package.
 */

/** What the person chose; the browser has ended with it. */
export type Choice =
	/**
	 * Go on with this session, at its leaf; an entry only where it was chosen in place of the whole session. `text`: what was
	 * said where the person wants to go on, for the editor, to be said again. Where a turn was running, they were told that
	 * this stops it, and have agreed.
	 */
	| {
			readonly action: "resume";
			readonly path: string;
			readonly cwd: string;
			readonly entryId?: string;
			readonly text?: string;
	  }
	/** Go to an entry of the session that is open in pi, once a running turn has ended: only from a host. */
	| { readonly action: "goto"; readonly path: string; readonly entryId: string }
	/**
	 * A new session from an entry of the one that is open in pi: only from a host. "before" leaves a prompt out, for the editor.
	 * A running turn is stopped, which the person has been told.
	 */
	| {
			readonly action: "fork";
			readonly path: string;
			readonly entryId: string;
			readonly position: "before" | "at";
	  }
	/** A text for pi's editor: a prompt or a command of any session: only from a host. Never sent. */
	| { readonly action: "edit"; readonly text: string }
	/** A reference to a session or an entry, to be put into pi's editor where its cursor is: only from a host. */
	| { readonly action: "reference"; readonly text: string; readonly path: string; readonly entryId?: string };

/**
 * What pi says of itself to the browser that it starts: JSON in the environment variable `PI_GROVE_HOST`. The browser must be
 * pi's own child (no shell between): the process that started it is the one that has the session open.
 */
export interface HostInfo {
	/** Raised when what is said to each other changes its meaning; a browser that does not know the number says so. */
	readonly protocol: 1;
	/** The descriptor, open both ways, on which the lines below are exchanged; its end ends the browser without a choice. */
	readonly fd: number;
	/** Version of pi. */
	readonly pi: string;
	/** The session that is open in pi. */
	readonly open: OpenInHost;
	/** Whether a turn is running there. */
	readonly busy: boolean;
	/** pi's colors, resolved (`ctx.ui.theme.colors`, since 0.99); older ones do not tell. */
	readonly theme?: {
		readonly colors: Readonly<Record<string, string | number>>;
		readonly appearance: "dark" | "light";
	};
}

/** The session that is open in pi. */
export interface OpenInHost {
	readonly id: string;
	readonly cwd: string;
	/** Not there while pi has not written it: pi makes the file with the first prompt. */
	readonly path?: string;
	/** The entry that pi goes on from; null before the first one. */
	readonly leaf: string | null;
}

/** One line of JSON, from the browser to pi. */
export type HostRequest =
	/** A change of the open session, which only pi may write; answered with the same number, at most ten seconds later. */
	| ({ readonly request: number } & HostChange)
	/** The last line: what was chosen. Without one, nothing was. */
	| { readonly choice: Choice };

/** A change of the open session. An empty name clears it; a label of null takes it away. */
export type HostChange =
	| { readonly action: "rename"; readonly name: string }
	| { readonly action: "label"; readonly entryId: string; readonly label: string | null };

/** One line of JSON, from pi to the browser. */
export type HostAnswer =
	/** Done, or why not, in a sentence. */
	| { readonly answer: number; readonly error?: string }
	/** Something of the open session is otherwise now. */
	| { readonly busy: boolean; readonly open: OpenInHost };
