import type { Ground, ShellColor, Span, Tone } from "../view.ts";
import { basicRoles } from "./basic-roles.ts";
import type { ColorDepth } from "./color-depth.ts";
import { exactRoles } from "./exact-roles.ts";
import { DARK, LIGHT, type Palette } from "./palette.ts";
import { isDark } from "./rgb.ts";
import type { Role, Roles } from "./role.ts";
import type { TerminalColors } from "./terminal-colors.ts";

/** What a text is, for the theme: a span without its text. */
export type Look = Omit<Span, "text" | "link">;

/** How everything is drawn in one terminal. */
export interface Theme {
	/** Whether the terminal has links (OSC 8). */
	readonly links: boolean;
	/**
	 * SGR parameters that a text is drawn with; "" for none. `ground` is that of its row: the cursor's holds for all of a
	 * row but its matches, any other one for what has none of its own.
	 */
	sgr(look: Look, ground?: Ground): string;
}

/** What a theme is made from. */
export interface ThemeOptions {
	readonly depth: ColorDepth;
	/** Whether the background is dark; what the terminal says of it counts more. Default: not known. */
	readonly dark?: boolean | undefined;
	/** What the terminal has said of its colors. Default: nothing. */
	readonly terminal?: TerminalColors;
	/** The person's own colors. Default: ours. */
	readonly palette?: Palette | undefined;
	/** Default: false. */
	readonly links?: boolean;
}

/** A program may print a million colors. */
const MOST_PRINTED = 2000;

/** The theme of a terminal. */
export function createTheme({ links = false, ...options }: ThemeOptions): Theme {
	const roles = rolesOf(options);
	const known = new Map<string, Role>();
	const printed = new Map<string, string>();

	function roleOf(look: Look, ground: Ground | undefined): Role {
		const tone = look.tone ?? "text";
		const below = groundOf(look, ground);
		const key = `${tone} ${below}`;
		let role = known.get(key);
		if (role === undefined) {
			role = roles.roleOf(tone, below);
			known.set(key, role);
		}
		return role;
	}

	function shellText(color: ShellColor, ground: Ground | undefined): string {
		const key = `${color} ${ground}`;
		let sgr = printed.get(key);
		if (sgr === undefined) {
			if (printed.size >= MOST_PRINTED) printed.clear();
			sgr = roles.shellText(color, ground);
			printed.set(key, sgr);
		}
		return sgr;
	}

	return {
		links,
		sgr(look, ground) {
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

/** The roles without colors: shapes alone. */
const PLAIN_ROLES: Roles = {
	roleOf: (tone, ground) => ({
		foreground: "",
		background: "",
		bold: BOLD.has(tone) || ground === "cursor-beside" || ground === "prompt",
		dim: tone === "frame",
		underline: tone === "match" || tone === "link" || ground === "match",
		inverse: ground === "cursor",
	}),
	shellText: () => "",
	shellColor: () => "",
};
