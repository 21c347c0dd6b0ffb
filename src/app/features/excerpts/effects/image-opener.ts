type Env = Readonly<Record<string, string | undefined>>;

/** A program that shows a file in a window, by what is set for it; `args` stand before the file's path. */
interface Opener {
	readonly command: string;
	readonly args: readonly string[];
}

/** What opens a file as the person has it; why nothing can where that is known beforehand. */
export function openerFor(env: Env, platform: NodeJS.Platform): Opener | string {
	const isRemote = Boolean(env.SSH_CONNECTION || env.SSH_TTY || env.SSH_CLIENT);
	if (platform === "darwin" || platform === "win32") {
		// A window would be on the wrong machine.
		if (isRemote) return "This is a session over SSH, and has no windows.";
		return platform === "darwin"
			? { command: "open", args: [] }
			: { command: "rundll32.exe", args: ["url.dll,FileProtocolHandler"] };
	}
	if (env.TERMUX_VERSION) return { command: "termux-open", args: [] };
	if (env.DISPLAY || env.WAYLAND_DISPLAY) return { command: "xdg-open", args: [] };
	return "There are no windows here: neither DISPLAY nor WAYLAND_DISPLAY is set.";
}
