import local, { posix, win32 } from "node:path";

/** The variables of an environment, as in `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>;

/** How a system writes paths: `node:path` for it. */
export type PathRules = typeof posix;

/**
 * What depends on the operating system, as a value. Two of them are in play at once: that of this machine (`thisSystem`), and that of the
 * session that is read (`systemOf` its paths). A function takes the system, or a path from which it follows, so that a test can try each.
 */
export interface System {
	readonly platform: NodeJS.Platform;
	readonly paths: PathRules;
	/** Whether its usual file system takes names for the same that differ in letter case, or in the form of accents. */
	readonly ignoresCase: boolean;
	readonly ignoresForm: boolean;
	/** The longest name and path, in bytes or in UTF-16 units. */
	readonly longestName: number;
	readonly longestPath: number;
	readonly countsBytes: boolean;
	/** A command line with its environment may have 2 MB on Linux, 1 MB on macOS, and 32 KB on Windows. */
	readonly longestCommand: number;
	/** What no file can be called. */
	readonly impossibleName: RegExp;
	/** Home directories. */
	readonly homes: RegExp;
	/** The variable that names the person's shell, and the shell where it names none. */
	readonly shell: { readonly variable: string; readonly program: string };
	/** The files of the terminal that controls a process. */
	readonly terminal: { readonly input: string; readonly output: string };
	/** What tells when a process was started. */
	readonly processes: "proc" | "ps" | "powershell";
	/** Whether signals reach groups of processes, and files have a mode that says whether they can be run. */
	readonly isUnix: boolean;
}

const UNIX = {
	paths: posix,
	impossibleName: /\0/,
	shell: { variable: "SHELL", program: "/bin/sh" },
	terminal: { input: "/dev/tty", output: "/dev/tty" },
	isUnix: true,
} as const;

/** Android, with Termux, too. */
export const LINUX: System = {
	...UNIX,
	platform: "linux",
	ignoresCase: false,
	ignoresForm: false,
	longestName: 255,
	longestPath: 4095,
	countsBytes: true,
	longestCommand: 1_000_000,
	homes:
		/^(?:\/(?:var\/)?home\/(?!linuxbrew(?:\/|$))[^/]+|\/root(?=\/|$)|\/data\/data\/com\.termux\/files\/home(?=\/|$))/,
	processes: "proc",
};

export const MACOS: System = {
	...UNIX,
	platform: "darwin",
	ignoresCase: true,
	ignoresForm: true,
	longestName: 255,
	longestPath: 1023,
	countsBytes: false,
	longestCommand: 400_000,
	homes: /^(?:\/Users\/(?!Shared(?:\/|$))[^/]+|(?:\/private)?\/var\/root(?=\/|$))/,
	processes: "ps",
};

export const WINDOWS: System = {
	platform: "win32",
	paths: win32,
	ignoresCase: true,
	ignoresForm: false,
	longestName: 255,
	longestPath: 32_766,
	countsBytes: false,
	longestCommand: 24_000,
	impossibleName: /[\0-\x1f<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³]|con(?:in|out)\$) *(?:\.|$)/i,
	homes: /^[a-z]:[\\/]Users[\\/](?!(?:Public|Default)(?:[\\/]|$))[^\\/]+/i,
	shell: { variable: "ComSpec", program: "cmd.exe" },
	terminal: { input: "\\\\.\\CONIN$", output: "\\\\.\\CONOUT$" },
	processes: "powershell",
	isUnix: false,
};

/** Where there is no proc file system, such as BSD's. */
const OTHER_UNIX = { processes: "ps", longestCommand: 400_000 } as const;

/** The system that `process.platform` names. */
function systemFor(platform: NodeJS.Platform): System {
	const system = [LINUX, MACOS, WINDOWS].find((one) => one.platform === platform);
	return system ?? { ...LINUX, platform, ...(platform !== "android" && OTHER_UNIX) };
}

export const thisSystem = systemFor(process.platform);

/**
 * The system that an absolute path is of, as far as it shows: what a session on Windows says of files is read as it was meant there,
 * wherever it is read. This one for any other path.
 */
export function systemOf(path: string): System {
	if (!posix.isAbsolute(path)) return win32.isAbsolute(path) ? WINDOWS : thisSystem;
	if (MACOS.homes.test(path)) return MACOS;
	return LINUX.homes.test(path) || !thisSystem.isUnix ? LINUX : thisSystem;
}

/** The rules of the system that an absolute path is of; those of this system for any other path. */
export function rulesOf(path: string): PathRules {
	if (posix.isAbsolute(path)) return posix;
	return win32.isAbsolute(path) ? win32 : local;
}

/** The home directory that a path is in: "/home/ada" of "/home/ada/work"; undefined for any other path. */
export function homeOf(path: string): string | undefined {
	return systemOf(path).homes.exec(path)?.[0];
}

/** What is equal for absolute paths, or names, of the same file, as far as that shows. */
export function fileKey(path: string, { ignoresCase, ignoresForm } = systemOf(path)): string {
	const name = ignoresForm ? path.normalize("NFC") : path;
	return ignoresCase ? name.toLowerCase() : name;
}

/** Gives each file one spelling of its absolute path, the first that was met, where its system knows several: "Readme.md", "README.md". */
export class Spellings {
	readonly #byKey = new Map<string, string>();

	of(path: string): string {
		const system = systemOf(path);
		if (!system.ignoresCase) return path;
		const key = fileKey(path, system);
		const first = this.#byKey.get(key);
		if (first !== undefined) return first;
		const directory = system.paths.dirname(path);
		const name = system.paths.basename(path);
		const whole = directory === path ? path : system.paths.join(this.of(directory), name);
		this.#byKey.set(key, whole);
		return whole;
	}
}

/** The person's shell. */
export function shellOf(env: Env, { shell } = thisSystem): string {
	return env[shell.variable] || shell.program;
}

/** The variables of the XDG Base Directory Specification that we use, with their defaults in the home directory. */
const DEFAULTS = {
	XDG_CACHE_HOME: [".cache"],
	XDG_CONFIG_HOME: [".config"],
	XDG_DATA_HOME: [".local", "share"],
	XDG_STATE_HOME: [".local", "state"],
} as const;

/**
 * One of the user's base directories. A variable with a relative path is ignored, as the specification says: it would name
 * another directory wherever the program is started.
 */
export function xdgDir(variable: keyof typeof DEFAULTS, env: Env, home: string): string {
	const chosen = env[variable];
	return chosen !== undefined && local.isAbsolute(chosen) ? chosen : local.join(home, ...DEFAULTS[variable]);
}

/** Whether a process with this id is running, another user's included. */
export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// EPERM: it is another user's.
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
