/** What `spawn` is given for a program. */
interface SpawnForm {
	readonly command: string;
	readonly args: readonly string[];
	/** The arguments are quoted already. */
	readonly windowsVerbatimArguments: boolean;
}

/** What cmd.exe gives a meaning. */
const MEANINGFUL = /[()\][%!^"`<>&|;, *?]/g;
/** What npm puts into a project for a program: it hands its arguments to cmd.exe once more. */
const SHIM = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i;

/**
 * How a program is started. On Windows npm installs programs, pi among them, as `.cmd` files, which only cmd.exe runs: Node
 * refuses them without it (EINVAL). What is an argument must not become a command there, so it is quoted as the package
 * cross-spawn does it.
 */
export function spawnForm(
	command: string,
	args: readonly string[],
	env: NodeJS.ProcessEnv = process.env,
	platform: NodeJS.Platform = process.platform,
): SpawnForm {
	if (platform !== "win32" || !/\.(?:cmd|bat)$/i.test(command))
		return { command, args, windowsVerbatimArguments: false };
	const line = [escaped(command), ...args.map((arg) => quoted(arg, SHIM.test(command)))].join(" ");
	return { command: env.ComSpec || "cmd.exe", args: ["/d", "/s", "/c", `"${line}"`], windowsVerbatimArguments: true };
}

/** In double quotes for the program itself, and all of that for cmd.exe. */
function quoted(argument: string, isTwice: boolean): string {
	const once = escaped(`"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`);
	return isTwice ? escaped(once) : once;
}

function escaped(text: string): string {
	return text.replace(MEANINGFUL, "^$&");
}
