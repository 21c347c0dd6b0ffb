import type { Catalog } from "../../../catalog/catalog.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { SessionRoots } from "../../../catalog/model/session-roots.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import type { SearchEvent } from "../../../catalog/search/search.ts";
import type { CatalogStats } from "../../../catalog/stats/aggregate-stats.ts";
import type { LookAtUse } from "../../../changes/engine/batched-tools.ts";
import type { ChangeJournal } from "../../../changes/engine/changes.ts";
import type { LongWork } from "../../../changes/engine/long-work.ts";
import type { StoreClient } from "../../../changes/store-thread/store-client.ts";
import type { Outcome } from "../state/outcome.ts";
import type { Look } from "./patient-look.ts";
import type { PiCommand } from "./pi-command.ts";
import type { PiFiles } from "./pi-files.ts";
import type { SessionReader } from "./session-reader.ts";
import type { LendTerminal } from "./terminal-program.ts";

/** All that effects may touch outside the state. */
export interface Capabilities extends ChangeCapabilities {
	readonly store: Store;
}

/** What the effects that change sessions may touch: also the commands of the shell, which search and watch nothing, have it. */
export interface ChangeCapabilities {
	readonly store: Sessions;
	/** Changes sessions and what is noted about them. */
	readonly journal: ChangeJournal;
	readonly disk: Disk;
	readonly terminal: Terminal;
	readonly pi: Pi;
}

/** The sessions that are listed, and a thread that reads them. Nothing here changes one. */
export interface Sessions {
	/** Where sessions are: new ones go there too, and pi needs a flag when it is not the default directory. */
	readonly roots: SessionRoots;
	/** The session as the list has it; undefined when it is not listed. */
	rowOf(path: string): SessionRow | undefined;
	/** The title of a session as the list shows it; undefined when it is not listed. */
	titleOf(path: string): string | undefined;
	/** Looks again at what is in use, and at who has these sessions open. */
	readonly look: LookAtUse;
	/** A thread for what only reads, so that no change waits for it. */
	readonly readThread: Pick<StoreClient, "run">;
}

/** The sessions as the browser has them: also searched, counted and watched. */
export interface Store extends Sessions {
	readonly reader: SessionReader;
	readonly catalog: Pick<Catalog, "hits" | "matches" | "watchVisible" | "askUses" | "stopUses" | "wholeUse">;
	/** Searches everything and ends the search before; a query without terms only ends that. */
	search(query: Query, listener: (event: SearchEvent) => void): void;
	/** Sums up sessions; `gently`: they are still being counted, which must not take longer for it. */
	count(rows: readonly SessionRow[], gently: boolean): Promise<CatalogStats>;
	/** Compares the catalog with the disk; it reports changes and problems as its own events. */
	refresh(): void;
}

/** Where, when and for whom the program runs. */
export interface Disk {
	/** The person's home directory. */
	readonly home: string;
	/** The directory in which the program was started: where files are saved. */
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Present time, Unix ms. */
	clock(): number;
	/** Asks disks that may never answer. */
	readonly patientLook: Look;
}

/** The person's terminal, and how far work is that is shown there. */
export interface Terminal {
	/** Writes past the screen, for sequences that draw nothing. */
	write(text: string): void;
	/** Lends the terminal to another program until that ends. */
	readonly lend: LendTerminal;
	/** Gives the terminal back to the shell and stops, until the shell continues the process; false where that cannot be. */
	suspend(): boolean;
	/** Leaves the program; `outcome` says what to do once the terminal is restored. */
	leave(outcome: Outcome): void;
	/** Tells how far work on many sessions is, and lets the person stop it. */
	readonly work: LongWork;
}

/** The pi that resumes sessions, and the one that started the browser. */
export interface Pi {
	/** What resumes a session: "pi", or what `--pi` says. */
	readonly command: PiCommand;
	readonly files: PiFiles;
	/** Whether pi is not started, since somebody waits for a choice: the pi that started the browser, or a shell. */
	readonly chooses: boolean;
	/** Whether a pi started the browser. */
	readonly isHost: boolean;
	/** Whether a turn is running in the pi that started the browser. */
	isBusy(): boolean;
	/** Whether the browser leaves when pi starts: the person wants that, or there is no terminal to take back. */
	replacesBrowser(): boolean;
	/** Tells other windows that a process has a session; returns what ends that. */
	noteUse(path: string, pid: number): () => void;
}
