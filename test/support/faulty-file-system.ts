import { type FileSystem, realFileSystem } from "../../src/store/files/file-system.ts";

/** Called before each system call; may throw or kill the process. */
export type Fault = (call: keyof FileSystem, count: number) => void;

/** The machine's file system, with `fault` called before each system call; `counter.calls` counts them. */
export function faultyFileSystem(fault: Fault, counter = { calls: 0 }): FileSystem {
	const before = (call: keyof FileSystem) => {
		counter.calls += 1;
		fault(call, counter.calls);
	};
	return {
		open: (path, flags, mode) => {
			before("open");
			return realFileSystem.open(path, flags, mode);
		},
		read: (fd, buffer, position) => {
			before("read");
			return realFileSystem.read(fd, buffer, position);
		},
		write: (fd, bytes) => {
			before("write");
			return realFileSystem.write(fd, bytes);
		},
		sync: (fd) => {
			before("sync");
			realFileSystem.sync(fd);
		},
		close: (fd) => {
			before("close");
			realFileSystem.close(fd);
		},
		stat: (fd) => {
			before("stat");
			return realFileSystem.stat(fd);
		},
		chmod: (fd, mode) => {
			before("chmod");
			realFileSystem.chmod(fd, mode);
		},
		truncate: (fd, size) => {
			before("truncate");
			realFileSystem.truncate(fd, size);
		},
		link: (from, to) => {
			before("link");
			realFileSystem.link(from, to);
		},
		rename: (from, to) => {
			before("rename");
			realFileSystem.rename(from, to);
		},
		unlink: (path) => {
			before("unlink");
			realFileSystem.unlink(path);
		},
		realpath: (path) => {
			before("realpath");
			return realFileSystem.realpath(path);
		},
		exists: (path) => {
			before("exists");
			return realFileSystem.exists(path);
		},
	};
}

/** A file system whose writes write only a part of what they are given. */
export function shortWrites(fs: FileSystem): FileSystem {
	return { ...fs, write: (fd, bytes) => fs.write(fd, bytes.subarray(0, Math.max(1, bytes.length >> 1))) };
}
