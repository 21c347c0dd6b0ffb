import { ASK_COLORS, ASK_PALETTE, type ColorAnswer } from "../../terminal/terminal-colors.ts";
import { type ColorDepth, colorDepth, hasLinks } from "../../ui/theme/color-depth.ts";
import { isDark, type Rgb } from "../../ui/theme/rgb.ts";
import { createTheme, type Theme } from "../../ui/theme/theme.ts";
import { darkByChoice, darkByEnvironment, type ThemeChoice } from "../../ui/theme/theme-choice.ts";

/** The theme of this terminal, which gets to know the terminal's colors while it is already drawn with. */
export interface LiveTheme {
	/** What to ask the terminal; "" for nothing. */
	readonly questions: string;
	/** Takes an answer of the terminal. */
	answered(answer: ColorAnswer): void;
	/** The theme now; the same one until an answer changes it. */
	current(): Theme;
	/** Called once after answers that have changed the theme. */
	onChange(listener: () => void): void;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The theme for an environment and what the person has chosen in pi. `PI_GROVE_THEME` (then the colors are ours), then pi's
 * theme, then what the terminal answers, then `COLORFGBG` say whether the background is dark, which it is if nothing does.
 */
export function createLiveTheme(env: Env, inPi: ThemeChoice): LiveTheme {
	const depth = colorDepth(env);
	const here = darkByChoice(env);
	const choice = here === undefined ? inPi : { dark: here };
	const chosen = choice.dark;
	const guess = chosen ?? darkByEnvironment(env);
	const links = hasLinks(env);
	const palette = new Map<number, Rgb>();
	let background: Rgb | undefined;
	let foreground: Rgb | undefined;
	let listener: (() => void) | undefined;
	let theme: Theme | undefined;
	let isTelling = false;

	function makeTheme(): Theme {
		// Whoever chooses light in a dark terminal knows better what it looks like than what it says.
		const isBelieved = chosen === undefined || background === undefined || isDark(background) === chosen;
		const terminal = isBelieved ? { background, foreground, palette } : {};
		const dark = terminal.background === undefined ? guess : isDark(terminal.background);
		return createTheme({ depth, dark, links, terminal, palette: dark === false ? choice.onLight : choice.onDark });
	}

	return {
		questions: questionsFor(depth, env),
		answered({ of, color }) {
			if (of === "background") background = color;
			else if (of === "foreground") foreground = color;
			else palette.set(of, color);
			theme = undefined;
			if (isTelling) return;
			isTelling = true;
			// Answers come together.
			setImmediate(() => {
				isTelling = false;
				listener?.();
			});
		},
		current() {
			theme ??= makeTheme();
			return theme;
		},
		onChange(next) {
			listener = next;
		},
	};
}

/** The Linux console has no such answers, and older ones draw a part of the question. */
function questionsFor(depth: ColorDepth, { TERM }: Env): string {
	if (depth === "none" || TERM === "linux") return "";
	return depth === "16" ? ASK_COLORS + ASK_PALETTE : ASK_COLORS;
}
