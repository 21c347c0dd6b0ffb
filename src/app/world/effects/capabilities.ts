import type { Catalog } from "../../../catalog/catalog.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { SessionRoots } from "../../../catalog/model/session-roots.ts";
import type { AllPlaces } from "../../../catalog/places/all-places.ts";
import type { CatalogStats } from "../../../catalog/stats/aggregate-stats.ts";
import type { ChangeJournal } from "../../../changes/engine/changes.ts";
import type { LongWork } from "../../../changes/engine/long-work.ts";
import type { CheckUse } from "../../../changes/engine/tools.ts";
import type { StoreClient } from "../../../changes/store-thread/store-client.ts";
import type { TimeSlice } from "../../../shared/steps.ts";
import type { Env } from "../../../shared/system.ts";
import type { DiskRead } from "../../../store/files/disk-read.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { Outcome } from "../state/effect.ts";
import type { PiCommand } from "./find-program.ts";
import type { PiFiles } from "./pi-files.ts";

/** All that effects may touch outside the state. */
export interface Capabilities extends ChangeCapabilities {
	readonly store: Store;
}

/** What effects that change sessions may touch; shell commands have it too, which neither search nor watch. */
export interface ChangeCapabilities {
	readonly store: SessionAccess;
	readonly journal: ChangeJournal;
	readonly disk: Disk;
	readonly terminal: TerminalAccess;
	readonly pi: Pi;
}

/** The listed sessions, and a thread that reads them. Read-only. */
export interface SessionAccess {
	/** Where sessions are, including new ones; pi needs a flag when it is not the default directory. */
	readonly roots: SessionRoots;
	/** The session's row in the list; undefined when it is not listed. */
	rowOf(path: string): SessionRow | undefined;
	/** The title of a session as the list shows it; undefined when it is not listed. */
	titleOf(path: string): string | undefined;
	readonly checkUse: CheckUse;
	/** A thread for reading only, so that no change waits for it. */
	readonly readThread: Pick<StoreClient, "run">;
}

/** The sessions for the browser, which also searches, counts and watches them. */
export interface Store extends SessionAccess {
	readonly reader: SessionReader;
	rows(): readonly SessionRow[];
	readonly places: Places;
	readonly catalog: Pick<Catalog, "search" | "searchEach" | "hits" | "watchVisible" | "askUses">;
	/** Sums up sessions. `gently`: they are still being counted, and this must not slow that down. */
	count(request: CountRequest, gently: boolean): Promise<CatalogStats>;
	/** Compares the catalog with the disk; it reports changes and problems as its own events. */
	refresh(): void;
}

export interface CountRequest {
	/** All that there are: a family is in several of them. */
	readonly all: readonly SessionRow[];
	/** Those to sum up; undefined for all. */
	readonly only: readonly SessionRow[] | undefined;
	/** A day or a month ("2026-01") to which all is limited; "" for all time. */
	readonly on: string;
}

/** What can be asked of the places besides this machine. */
export type Places = Pick<AllPlaces, "reach" | "reload" | "fileOf" | "machineOf" | "resumeThere" | "file">;

/** Reads one session at a time for the tree. */
export interface SessionReader {
	/**
	 * Resolves to the session, or to undefined if a later call has ended this one; rejects if it cannot be read. `before`:
	 * the same file as last read, which is only extended if the file has grown since.
	 */
	read(path: string, before?: Session): Promise<Session | undefined>;
	/**
	 * Checks every line of a large session, in slices; resolves to whether what was assumed about it is true. If not, the session is
	 * read whole, line by line, from then on.
	 */
	check(session: Session, slice: TimeSlice): Promise<boolean>;
	close(): void;
}

/** Where, when and for whom the program runs. */
export interface Disk {
	readonly home: string;
	readonly cwd: string;
	/** The directory in which files are saved that the person asks for. */
	readonly savesTo: string;
	readonly env: Env;
	/** Unix ms. */
	clock(): number;
	/** Reads from disks that may never answer, with a timeout. */
	readonly readDisk: DiskRead;
}

export interface TerminalAccess {
	/** Writes a sequence that draws nothing, bypassing the screen. */
	write(text: string): void;
	readonly lend: LendTerminal;
	/** Draws every row again, because something else has written on the screen. */
	redraw(): void;
	/** Gives the terminal back to the shell and stops until the shell continues the process; false if that is impossible. */
	suspend(): boolean;
	/** Leaves the program; `outcome` says what to do once the terminal is restored. */
	leave(outcome: Outcome): void;
	readonly work: LongWork;
}

/** The pi that resumes sessions, and the one that started the browser. */
export interface Pi {
	/** The command that resumes a session: "pi", or the value of `--pi`. */
	readonly command: PiCommand;
	readonly files: PiFiles;
	/** Whether the browser returns a choice, to the pi or the shell that started it, instead of starting pi. */
	readonly chooses: boolean;
	readonly isHost: boolean;
	isBusy(): boolean;
	/** Whether the browser exits when pi starts: the person wants that, or there is no terminal to take back. */
	replacesBrowser(): boolean;
	/** Lets other windows know that a process has a session; returns a function that withdraws this. */
	noteUse(path: string, pid: number): () => void;
}

export interface TerminalProgram {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
	/** @default that of this program */
	readonly env?: Env;
	/**
	 * The session that pi is started with: other windows learn that it is in use, the browser pauses meanwhile, and what pi
	 * prints when it fails stays until the person has read it.
	 */
	readonly session?: string;
	/** Printed on the terminal before it starts. */
	readonly note?: string;
}

/** How it ended: its exit code, and whether the browser exits with it; or why it could not be started. */
export type ProgramEnd = { readonly code: number; readonly leaves?: true } | { readonly failure: string };

/** Lends the terminal to a program; resolves to undefined, with nothing started, if it is already lent or cannot be. */
export type LendTerminal = (program: TerminalProgram) => Promise<ProgramEnd | undefined>;
