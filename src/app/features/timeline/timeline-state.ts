import type { FileStamp } from "../../../store/files/file-system.ts";
import { FIRST_CURSOR, type PageCursor } from "../../../ui/page/page-rows.ts";
import { defineSlice } from "../../world/state/state.ts";
import type { Turns } from "./turns.ts";

/** The page with bars of time. It keeps its state while it is closed. */
interface TimelineState {
	readonly cursor: PageCursor;
	/** Paths of the sessions whose bars are shown, with those of their runs below. */
	readonly shown: readonly string[];
	/** When these worked, by path, as far as it was read. */
	readonly turns: ReadonlyMap<string, TurnsRead>;
	/** Number of the last reading. */
	readonly request: number;
	/** How much of it is done, from 0 to 1; undefined if none is under way. */
	readonly reading: number | undefined;
}

/** What reading a session file has found, or why it failed. */
export interface TurnsRead {
	/** Of the file when it was asked for, in bytes: with another size it is read again. */
	readonly size: number;
	/** Undefined if it could not be read. */
	readonly file?: FileTurns;
	readonly why?: string;
}

/** The turns in a file, and how far it was read. */
export interface FileTurns extends Pick<FileStamp, "dev" | "ino"> {
	/** The first byte that has not been read. */
	readonly end: number;
	readonly turns: Turns;
}

/** A session whose turns are to be read. */
export interface TurnsRequest {
	readonly path: string;
	/** Of the file, in bytes. */
	readonly size: number;
	/** Unix ms. */
	readonly createdMs: number;
	/** What was read of it before. */
	readonly before: FileTurns | undefined;
}

export const TIMELINE = defineSlice<TimelineState>("timeline", {
	cursor: FIRST_CURSOR,
	shown: [],
	turns: new Map(),
	request: 0,
	reading: undefined,
});
