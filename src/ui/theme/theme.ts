import { RecentlyUsed } from "../../shared/memo.ts";
import type { Ground, Line, ShellColor, Span, Tone } from "../text/line.ts";
import { rowAsWords } from "../text/plain-text.ts";
import { cleanText } from "../text/sanitize.ts";
import { cutLine, cutText, lineWidth } from "../text/width.ts";
import type { RowView } from "../view.ts";
import { DARK, LIGHT, type Palette } from "./palette.ts";
import { isDark } from "./rgb.ts";
import { basicRoles, exactRoles, isOfWords, type Role, type Roles, type TerminalColors } from "./roles.ts";
import type { ColorDepth } from "./theme-choice.ts";

type Look = Omit<Span, "text" | "link">;

export interface Theme {
	/** Whether the terminal supports links (OSC 8). */
	readonly links: boolean;
	/** Whether rows are painted as words, without styles, lines and boxes. */
	readonly isPlain: boolean;
	/**
	 * SGR parameters of a style; "" for none. `ground`: of the whole row; the cursor's overrules the spans' own, except
	 * for matches.
	 */
	sgr(look: Look, ground?: Ground): string;
}

interface ThemeOptions {
	readonly depth: ColorDepth;
	/** Whether the background is dark; overruled by `terminal`. Default: not known. */
	readonly dark?: boolean | undefined;
	readonly terminal?: TerminalColors;
	/** Default: the built-in one. */
	readonly palette?: Palette | undefined;
	/** Default: false. */
	readonly links?: boolean;
	/** Default: false. */
	readonly isPlain?: boolean;
}

/** Size of the cache of printed colors: a program may print a million. */
const MAX_PRINTED = 2000;

export function createTheme({ links = false, isPlain = false, ...options }: ThemeOptions): Theme {
	const roles = rolesOf(options);
	const roleCache = new Map<string, Role>();
	const printed = new RecentlyUsed<string, string>(MAX_PRINTED);

	function roleOf(look: Look, ground: Ground | undefined): Role {
		const tone = look.tone ?? "text";
		const below = groundOf(look, ground);
		const key = `${tone} ${below}`;
		let role = roleCache.get(key);
		if (role === undefined) {
			role = roles.roleOf(tone, below);
			roleCache.set(key, role);
		}
		return role;
	}

	const shellText = (color: ShellColor, ground: Ground | undefined): string =>
		printed.get(`${color} ${ground}`, () => roles.shellText(color, ground));

	return {
		links,
		isPlain,
		sgr(look, ground) {
			if (isPlain) return "";
			const role = roleOf(look, ground);
			const isUnderCursor = ground === "cursor" || ground === "cursor-beside";
			const { color } = look;
			const background = isUnderCursor ? undefined : look.background;
			const codes = [
				(role.bold || look.bold) && "1",
				role.dim && "2",
				look.italic && "3",
				(role.underline || look.underline) && "4",
				(role.inverse || look.inverse) && "7",
				look.strike && "9",
				color === undefined ? role.foreground : textColor(color),
				background === undefined ? role.background : roles.shellColor(background, 40),
			];
			return codes.filter(Boolean).join(";");

			function textColor(own: ShellColor): string {
				return background === undefined ? shellText(own, groundOf(look, ground)) : roles.shellColor(own, 30);
			}
		},
	};
}

function rolesOf({ depth, dark, terminal = {}, palette }: ThemeOptions): Roles {
	if (depth === "none") return PLAIN_ROLES;
	const isOnDark = terminal.background === undefined ? dark : isDark(terminal.background);
	if (depth === "16") return basicRoles(terminal, isOnDark);
	return exactRoles(palette ?? (isOnDark === false ? LIGHT : DARK), terminal, depth);
}

function groundOf({ tone, ground }: Look, row: Ground | undefined): Ground | undefined {
	if (tone === "match" || ground === "match") return "match";
	return row === "cursor" || row === "cursor-beside" ? row : (ground ?? row);
}

const BOLD: ReadonlySet<Tone> = new Set(["accent", "prompt", "current", "match", "warning", "error", "key", "heading"]);

const PLAIN_ROLES: Roles = {
	roleOf: (tone, ground) => ({
		foreground: "",
		background: "",
		bold: BOLD.has(tone) || ground === "cursor-beside" || ground === "prompt",
		dim: tone === "frame",
		underline: tone === "match" || tone === "link" || ground === "match" || isOfWords(ground),
		inverse: ground === "cursor",
	}),
	shellText: () => "",
	shellColor: () => "",
};

/** Lines and boxes, and the mark of a row of a menu. */
const DRAWN = /[\u2500-\u259f›]/g;
const RESET = "\x1b[0m";
const LINK_END = "\x1b]8;;\x1b\\";

/** A line as one string with escape sequences for the style of each text. */
export function paintLine(theme: Theme, line: Line, ground?: Ground): string {
	if (theme.isPlain) return rowAsWords(line);
	let painted = "";
	for (const span of line) {
		if (span.text === "") continue;
		const text = styled(span.text, theme.sgr(span, ground));
		painted += span.link !== undefined && theme.links ? `\x1b]8;;${span.link}\x1b\\${text}${LINK_END}` : text;
	}
	return painted;
}

/** Each row is styled by itself. */
export function paintText(theme: Theme, text: string, look: Look, ground?: Ground): string {
	if (theme.isPlain) return text.replace(DRAWN, " ");
	const sgr = theme.sgr(look, ground);
	return text.includes("\n")
		? text
				.split("\n")
				.map((row) => styled(row, sgr))
				.join("\n")
		: styled(text, sgr);
}

/**
 * The rows of a pane, joined by newlines and cut to its width; a row's ground reaches to the edge of the pane. `focused`:
 * whether the pane has the focus, which shows in the row under the cursor.
 */
export function paintRows(theme: Theme, rows: readonly RowView[], width: number, focused: boolean): string {
	const cursor = focused ? "cursor" : "cursor-beside";
	return rows.map((row) => paintRow(theme, row.line, width, row.selected ? cursor : row.ground)).join("\n");
}

interface PaintedRow {
	readonly theme: Theme;
	readonly width: number;
	readonly ground: Ground | undefined;
	readonly text: string;
}

/** Cache: most lines on the screen are the same in the next frame. */
const lastPainted = new WeakMap<Line, PaintedRow>();

function paintRow(theme: Theme, line: Line, width: number, ground: Ground | undefined): string {
	if (theme.isPlain) return cutText(cleanText(rowAsWords(line)), width);
	const last = lastPainted.get(line);
	if (last?.theme === theme && last.width === width && last.ground === ground) return last.text;
	const fitting = cutLine(line, width);
	const painted = paintLine(theme, fitting, ground);
	const missing = ground === undefined ? 0 : width - lineWidth(fitting);
	const text = missing > 0 ? painted + styled(" ".repeat(missing), theme.sgr({}, ground)) : painted;
	lastPainted.set(line, { theme, width, ground, text });
	return text;
}

function styled(text: string, sgr: string): string {
	return sgr === "" || text === "" ? text : `\x1b[${sgr}m${text}${RESET}`;
}
