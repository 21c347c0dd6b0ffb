/** The arguments of `spawn` for a program. */
interface SpawnForm {
	readonly command: string;
	readonly args: readonly string[];
	/** The arguments are quoted already. */
	readonly windowsVerbatimArguments: boolean;
}

/** Characters that are special in cmd.exe. */
const SPECIAL = /[()\][%!^"`<>&|;, *?]/g;
/** A launcher that npm puts into a project: it passes its arguments through cmd.exe once more. */
const SHIM = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i;

/**
 * How to start a program. On Windows npm installs programs, such as pi, as `.cmd` files, which Node runs only through cmd.exe
 * (else EINVAL). So that no argument becomes a command there, arguments are quoted as the package cross-spawn does.
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

/** Quotes an argument for the program itself, and the result for cmd.exe. */
function quoted(argument: string, isTwice: boolean): string {
	const once = escaped(`"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`);
	return isTwice ? escaped(once) : once;
}

function escaped(text: string): string {
	return text.replace(SPECIAL, "^$&");
}
