#!/usr/bin/env python3
"""Renders instants of a run side by side: the picture of the README.

    tools/render_picture.py RUN_DIRECTORY OUTPUT.png t1,t2,t3

Needs Debian's python3-vtk9; reads frames.pvd as ParaView would."""

import pathlib
import re
import sys

import vtk


def frames(run):
    text = (run / "frames.pvd").read_text()
    return [(float(t), run / f) for t, f in re.findall(r'timestep="([^"]+)".*?file="([^"]+)"', text)]


def surface_of(path):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    grid = reader.GetOutput()
    if grid.GetNumberOfCells() == 0:
        sys.exit(f"{path}: VTK finds no cells")
    size = vtk.vtkArrayCalculator()
    size.SetInputData(grid)
    size.AddVectorArrayName("displacement")
    size.SetFunction("mag(displacement)")
    size.SetResultArrayName("size")
    skin = vtk.vtkDataSetSurfaceFilter()
    skin.SetInputConnection(size.GetOutputPort())
    skin.Update()
    return skin.GetOutput()


def main():
    run, output = pathlib.Path(sys.argv[1]), sys.argv[2]
    instants = [float(t) for t in sys.argv[3].split(",")]
    series = frames(run)
    skins = [surface_of(min(series, key=lambda f: abs(f[0] - t))[1]) for t in instants]
    largest = max(s.GetPointData().GetArray("size").GetRange()[1] for s in skins)
    colours = vtk.vtkLookupTable()
    colours.SetHueRange(0.55, 0.02)
    colours.SetSaturationRange(0.45, 0.75)
    colours.SetValueRange(0.95, 0.95)
    colours.SetTableRange(0.0, largest)
    colours.Build()

    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(8)
    window.SetSize(360 * len(skins), 300)
    for k, (t, skin) in enumerate(zip(instants, skins)):
        mapper = vtk.vtkPolyDataMapper()
        mapper.SetInputData(skin)
        mapper.SetScalarModeToUsePointFieldData()
        mapper.SelectColorArray("size")
        mapper.SetLookupTable(colours)
        mapper.UseLookupTableScalarRangeOn()
        actor = vtk.vtkActor()
        actor.SetMapper(mapper)
        actor.GetProperty().EdgeVisibilityOn()
        actor.GetProperty().SetEdgeColor(0.25, 0.3, 0.35)
        actor.GetProperty().SetLineWidth(0.6)
        renderer = vtk.vtkRenderer()
        renderer.SetViewport(k / len(skins), 0, (k + 1) / len(skins), 1)
        renderer.SetBackground(1, 1, 1)
        renderer.AddActor(actor)
        label = vtk.vtkTextActor()
        label.SetInput(f"t = {t:g} s")
        label.GetTextProperty().SetColor(0.2, 0.2, 0.2)
        label.GetTextProperty().SetFontSize(18)
        label.SetPosition(14, 12)
        renderer.AddActor2D(label)
        camera = renderer.GetActiveCamera()
        camera.SetFocalPoint(0.5, 0, 0)
        camera.SetPosition(1.3, -1.9, 0.9)
        camera.SetViewUp(0, 0, 1)
        camera.SetViewAngle(26)
        renderer.ResetCameraClippingRange()
        window.AddRenderer(renderer)
    window.Render()
    grab = vtk.vtkWindowToImageFilter()
    grab.SetInput(window)
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(output)
    writer.SetInputConnection(grab.GetOutputPort())
    writer.Write()


if __name__ == "__main__":
    main()
