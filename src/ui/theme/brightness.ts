type Env = Readonly<Record<string, string | undefined>>;

/** The palette's numbers of light colors, as programs classify them since Vim. */
const LIGHT_INDEXES = new Set([7, 9, 10, 11, 12, 13, 14, 15]);

/**
 * Whether the background is dark by `COLORFGBG`, in which some terminals name their text color and background by their
 * numbers ("15;0", or "15;default;0"); undefined where that is not said.
 */
export function darkByEnvironment({ COLORFGBG }: Env): boolean | undefined {
	const index = /^[\d\w]+;(?:\w+;)?(\d{1,2})$/.exec(COLORFGBG ?? "")?.[1];
	if (index === undefined || Number(index) > 15) return undefined;
	return !LIGHT_INDEXES.has(Number(index));
}

/** What the person has chosen with `PI_GROVE_THEME`; undefined: nothing. */
export function darkByChoice({ PI_GROVE_THEME }: Env): boolean | undefined {
	if (PI_GROVE_THEME === "dark") return true;
	return PI_GROVE_THEME === "light" ? false : undefined;
}
