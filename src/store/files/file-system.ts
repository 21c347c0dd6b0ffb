import {
	closeSync,
	constants,
	fchmodSync,
	fstatSync,
	fsyncSync,
	ftruncateSync,
	linkSync,
	lstatSync,
	openSync,
	readSync,
	realpathSync,
	writeSync,
} from "node:fs";
import { renamePathSync, unlinkPathSync } from "./while-busy.ts";

/** Distinguishes two states of a file without reading it. */
export interface FileStamp {
	readonly dev: number;
	readonly ino: number;
	/** In bytes. */
	readonly size: number;
	readonly mtimeMs: number;
}

/** Stands for a missing file. */
export const NO_STAMP: FileStamp = { dev: 0, ino: 0, size: 0, mtimeMs: 0 };

export function stampOf({ dev, ino, size, mtimeMs }: FileStamp): FileStamp {
	return { dev, ino, size, mtimeMs };
}

/** Whether a file is unchanged; false if the earlier state is unknown. */
export function sameStamp(earlier: FileStamp | undefined, now: FileStamp): boolean {
	return (
		earlier?.size === now.size && earlier.mtimeMs === now.mtimeMs && earlier.ino === now.ino && earlier.dev === now.dev
	);
}

/** All system calls that the store writes with. Passed in, so that tests can stop a process before any one of them. */
export interface FileSystem {
	/** Opens with flags of `fs.constants`; new files get the mode. */
	open(path: string, flags: number, mode?: number): number;
	/** Reads into the buffer from the position; returns how many bytes were read. */
	read(fd: number, buffer: Uint8Array, position: number): number;
	/** Returns how many bytes were written: fewer than given when the disk is full. */
	write(fd: number, bytes: Uint8Array): number;
	sync(fd: number): void;
	close(fd: number): void;
	stat(fd: number): FileStat;
	chmod(fd: number, mode: number): void;
	truncate(fd: number, size: number): void;
	/** Gives a file a second name; fails when that name exists. */
	link(from: string, to: string): void;
	/** Replaces a file at `to`. */
	rename(from: string, to: string): void;
	unlink(path: string): void;
	realpath(path: string): string;
	exists(path: string): boolean;
}

export interface FileStat extends FileStamp {
	readonly mode: number;
}

export const realFileSystem: FileSystem = {
	open: (path, flags, mode) => openSync(path, flags, mode),
	read: (fd, buffer, position) => readSync(fd, buffer, 0, buffer.length, position),
	write: (fd, bytes) => writeSync(fd, bytes),
	sync: (fd) => fsyncSync(fd),
	close: (fd) => closeSync(fd),
	stat: (fd) => fstatSync(fd),
	chmod: (fd, mode) => fchmodSync(fd, mode),
	truncate: (fd, size) => ftruncateSync(fd, size),
	link: (from, to) => linkSync(from, to),
	rename: (from, to) => renamePathSync(from, to),
	unlink: (path) => unlinkPathSync(path),
	realpath: (path) => realpathSync(path),
	exists: (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
};

/** Flags for reading that never blocks on a pipe; Windows has no O_NONBLOCK. */
export const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
