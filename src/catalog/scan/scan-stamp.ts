import { type FileStamp, NO_STAMP, sameStamp, stampOf } from "../../store/files/file-system.ts";

/** Distinguishes two states of a file without reading it, even when its modification time was set back. */
export interface ScanStamp extends FileStamp {
	/** Set by the system with every change of the file; `UNVERIFIED` if the file must be read again. */
	readonly ctimeMs: number;
}

/** No file has this time, so that the next comparison reads the file again. */
export const UNVERIFIED = -1;

/** Stands for a file that is missing, or cannot be accessed. */
export const NO_SCAN_STAMP: ScanStamp = { ...NO_STAMP, ctimeMs: UNVERIFIED };

/** Only the stamp, of stats or of anything else that has one. */
export function scanStampOf(stats: ScanStamp): ScanStamp {
	return { ...stampOf(stats), ctimeMs: stats.ctimeMs };
}

/** Whether a file is unchanged; false if the earlier state is unknown. */
export function isUnchanged(earlier: ScanStamp | undefined, now: ScanStamp): boolean {
	return earlier?.ctimeMs === now.ctimeMs && sameStamp(earlier, now);
}
