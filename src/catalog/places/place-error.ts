/** Why a place cannot be asked, as a sentence that names it. It may have texts from another machine: sanitize it. */
export class PlaceError extends Error {
	constructor(message: string) {
		super(message);
		this.name = "PlaceError";
	}
}
