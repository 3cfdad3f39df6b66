// A notebook's picture fits the page; a tap shows it in its own size, in a box that scrolls, and another tap fits it again.
for (const picture of document.querySelectorAll(".cell_output img")) {
  picture.parentElement.classList.add("picture");
  picture.addEventListener("click", () => picture.classList.toggle("enlarged"));
}
