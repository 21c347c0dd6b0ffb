/** A program that puts what it reads on a clipboard. */
export interface ClipboardProgram {
	readonly command: string;
	readonly args: readonly string[];
	/** Where the text ends up, for the message; undefined: on the system's clipboard, as expected. */
	readonly where?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The programs that may put a text where the person can paste it, best first: the system's (but not over SSH, where they
 * belong to the wrong machine), then tmux, which also passes it on to its terminal.
 */
export function clipboardPrograms(env: Env, platform: NodeJS.Platform): readonly ClipboardProgram[] {
	const isRemote = Boolean(env.SSH_CONNECTION || env.SSH_TTY || env.SSH_CLIENT);
	return [...(isRemote ? [] : systemPrograms(env, platform)), ...(env.TMUX ? TMUX : [])];
}

const WINDOWS: readonly ClipboardProgram[] = [{ command: "clip.exe", args: [] }];
const WAYLAND: readonly ClipboardProgram[] = [{ command: "wl-copy", args: ["--type", "text/plain;charset=utf-8"] }];
const X11: readonly ClipboardProgram[] = [
	{ command: "xclip", args: ["-selection", "clipboard", "-in"] },
	{ command: "xsel", args: ["--clipboard", "--input"] },
];
/** `-w`, since tmux 3.2, passes it on to the terminal. */
const TMUX: readonly ClipboardProgram[] = [
	{ command: "tmux", args: ["load-buffer", "-w", "-"], where: "tmux's buffer" },
	{ command: "tmux", args: ["load-buffer", "-"], where: "tmux's buffer" },
];

function systemPrograms(env: Env, platform: NodeJS.Platform): readonly ClipboardProgram[] {
	if (platform === "darwin") return [{ command: "pbcopy", args: [] }];
	if (platform === "win32") return WINDOWS;
	return [
		...(env.WSL_DISTRO_NAME || env.WSL_INTEROP ? WINDOWS : []),
		...(env.TERMUX_VERSION ? [{ command: "termux-clipboard-set", args: [] }] : []),
		...(env.WAYLAND_DISPLAY ? WAYLAND : []),
		...(env.DISPLAY ? X11 : []),
	];
}

/** The input of a program: clip.exe reads UTF-16, and takes UTF-8 for the system's code page. */
export function inputFor({ command }: ClipboardProgram, text: string): Buffer {
	return command === "clip.exe" ? Buffer.from(text, "utf16le") : Buffer.from(text, "utf8");
}

/** Terminals drop longer sequences; 74,994 bytes of text is what xterm takes. */
const LONGEST = 74_994;

/** The escape sequence (OSC 52) that has the terminal, local or over SSH, put text on the clipboard; undefined: too long. */
export function clipboardSequence(texts: readonly string[], bytes: number): string | undefined {
	return bytes > LONGEST ? undefined : `\u001b]52;c;${Buffer.from(texts.join(""), "utf8").toString("base64")}\u0007`;
}
