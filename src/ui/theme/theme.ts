import { RecentlyUsed } from "../../shared/memo.ts";
import type { Ground, ShellColor, Span, Tone } from "../text/line.ts";
import { basicRoles } from "./basic-roles.ts";
import { exactRoles } from "./exact-roles.ts";
import { DARK, LIGHT, type Palette } from "./palette.ts";
import { isDark } from "./rgb.ts";
import type { Role, Roles, TerminalColors } from "./role.ts";
import type { ColorDepth } from "./theme-choice.ts";

/** The style of a span: all of it but its text and link. */
export type Look = Omit<Span, "text" | "link">;

/** How everything is drawn in one terminal. */
export interface Theme {
	/** Whether the terminal supports links (OSC 8). */
	readonly links: boolean;
	/**
	 * SGR parameters of a style; "" for none. `ground`: of the whole row; that of the cursor overrules the spans' own, except
	 * for matches.
	 */
	sgr(look: Look, ground?: Ground): string;
}

/** The options of a theme. */
export interface ThemeOptions {
	readonly depth: ColorDepth;
	/** Whether the background is dark; overruled by `terminal`. Default: not known. */
	readonly dark?: boolean | undefined;
	/** The colors that the terminal reported. Default: none. */
	readonly terminal?: TerminalColors;
	/** The person's own colors. Default: the built-in ones. */
	readonly palette?: Palette | undefined;
	/** Default: false. */
	readonly links?: boolean;
}

/** Size of the cache of printed colors: a program may print a million. */
const MAX_PRINTED = 2000;

/** The theme of a terminal. */
export function createTheme({ links = false, ...options }: ThemeOptions): Theme {
	const roles = rolesOf(options);
	const known = new Map<string, Role>();
	const printed = new RecentlyUsed<string, string>(MAX_PRINTED);

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

	const shellText = (color: ShellColor, ground: Ground | undefined): string =>
		printed.get(`${color} ${ground}`, () => roles.shellText(color, ground));

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

/** The roles of a terminal without colors. */
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
