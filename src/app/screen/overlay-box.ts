import type { OverlayView, ScreenView } from "../model/view.ts";

/** Where an overlay is drawn. */
export interface OverlayBox {
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
	/** Whether there is room for empty rows between its parts. */
	readonly spaced: boolean;
}

/** The middle of the screen, and the height that the overlay's parts need. */
export function overlayBox(screen: ScreenView, overlay: OverlayView): OverlayBox {
	const width = Math.min(overlay.width, screen.columns);
	const full = overlayHeight(overlay, true);
	const spaced = full <= screen.rows;
	const height = Math.min(spaced ? full : overlayHeight(overlay, false), screen.rows);
	return {
		left: Math.floor((screen.columns - width) / 2),
		top: Math.floor((screen.rows - height) / 2),
		width,
		height,
		spaced,
	};
}

function overlayHeight(overlay: OverlayView, spaced: boolean): number {
	if (overlay.kind === "help") return overlay.height;
	const parts = overlay.kind === "menu" ? overlay.items.length : 1;
	return 2 + bodyHeight(overlay.body.length, spaced) + parts + (spaced ? 1 : 0) + 1;
}

function bodyHeight(lines: number, spaced: boolean): number {
	return lines === 0 ? 0 : lines + (spaced ? 1 : 0);
}

/** Cell of the terminal's own cursor: in the prompt, else in the query; none while a menu or the help is open. */
export function cursorCell(screen: ScreenView): { readonly x: number; readonly y: number } | undefined {
	if (screen.tooSmall) return undefined;
	const { overlay } = screen;
	if (!overlay) return { x: screen.query.cursor, y: 1 };
	if (overlay.kind !== "prompt") return undefined;
	const place = overlayBox(screen, overlay);
	return {
		x: place.left + 2 + overlay.cursor,
		y: place.top + 1 + bodyHeight(overlay.body.length, place.spaced),
	};
}
