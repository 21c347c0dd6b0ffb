import type { ThemeSource } from "../../../hooks/use-theme.ts";
import type { Env } from "../../shared/system.ts";
import { ASK_COLORS, ASK_PALETTE, type ColorAnswer } from "../../terminal/terminal-colors.ts";
import { isDark, type Rgb } from "../../ui/theme/rgb.ts";
import { createTheme, type Theme } from "../../ui/theme/theme.ts";
import {
	type ColorDepth,
	type Colors,
	colorDepth,
	darkByChoice,
	darkByEnvironment,
	hasLinks,
	type ThemeChoice,
} from "../../ui/theme/theme-choice.ts";

/** The theme of this terminal; it is refined when the terminal reports its colors, while it is already in use. */
export interface LiveTheme extends ThemeSource {
	/** The queries to send to the terminal; "" for none. */
	readonly questions: string;
	/** Takes a response of the terminal. */
	answered(answer: ColorAnswer): void;
	/** Takes what the person has chosen in the browser. */
	choose(colors: Colors): void;
}

/**
 * Makes the theme from the environment and the theme chosen in pi. Whether the background is dark is decided by, in this order: what
 * was chosen in the browser, `PI_GROVE_THEME` (the colors are then pi-grove's own), pi's theme, the terminal's response, `COLORFGBG`; otherwise it is dark.
 */
export function createLiveTheme(env: Env, inPi: ThemeChoice, isPlain = false): LiveTheme {
	const depth = isPlain ? "none" : colorDepth(env);
	let chosenHere: Colors = "default";
	const links = hasLinks(env);
	const palette = new Map<number, Rgb>();
	let background: Rgb | undefined;
	let foreground: Rgb | undefined;
	let listener: (() => void) | undefined;
	let theme: Theme | undefined;
	let isScheduled = false;

	function makeTheme(): Theme {
		const here = chosenHere === "default" ? darkByChoice(env) : chosenHere === "dark";
		const choice = here === undefined ? inPi : { dark: here };
		const chosen = choice.dark;
		const guess = chosen ?? darkByEnvironment(env);
		// An explicit theme overrules what the terminal reports.
		const agrees = chosen === undefined || background === undefined || isDark(background) === chosen;
		const terminal = agrees ? { background, foreground, palette } : {};
		const dark = terminal.background === undefined ? guess : isDark(terminal.background);
		return createTheme({
			depth,
			dark,
			isPlain,
			links,
			terminal,
			palette: dark === false ? choice.onLight : choice.onDark,
		});
	}

	return {
		questions: questionsFor(depth, env),
		answered({ of, color }) {
			if (of === "background") background = color;
			else if (of === "foreground") foreground = color;
			else palette.set(of, color);
			theme = undefined;
			if (isScheduled) return;
			isScheduled = true;
			// The responses arrive together.
			setImmediate(() => {
				isScheduled = false;
				listener?.();
			});
		},
		choose(colors) {
			if (colors === chosenHere) return;
			chosenHere = colors;
			theme = undefined;
			listener?.();
		},
		current() {
			theme ??= makeTheme();
			return theme;
		},
		subscribe(next) {
			listener = next;
			return () => {
				listener = undefined;
			};
		},
	};
}

/** The Linux console does not respond, and older versions print part of the query. */
function questionsFor(depth: ColorDepth, { TERM }: Env): string {
	if (depth === "none" || TERM === "linux") return "";
	return depth === "16" ? ASK_COLORS + ASK_PALETTE : ASK_COLORS;
}
