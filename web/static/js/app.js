// Puts the page's parts together. Without this file every form still works as a plain POST.
import { startForms } from "./forms.js";
import { startPictures } from "./live.js";
import { startParts } from "./parts.js";
import { startStream } from "./stream.js";
import { startZones } from "./zones.js";

startParts();
startForms();
startPictures();
startZones();
startStream();
