// Embeds the page with C23's `#embed`, so that no data file is installed. Written by embed.py;
// StudioPageTests compares it with the folder.

#include "StudioPage.h"

#if defined(__clang__)
// clang 19 and later offer `#embed` in older language modes, as an extension with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

static const unsigned char file_adjust_auto_js[] = {
#embed "page/adjust/auto.js"
};
static const unsigned char file_adjust_bands_bands_js[] = {
#embed "page/adjust/bands/bands.js"
};
static const unsigned char file_adjust_bands_colours_js[] = {
#embed "page/adjust/bands/colours.js"
};
static const unsigned char file_adjust_bands_pick_js[] = {
#embed "page/adjust/bands/pick.js"
};
static const unsigned char file_adjust_control_js[] = {
#embed "page/adjust/control.js"
};
static const unsigned char file_adjust_curve_curve_js[] = {
#embed "page/adjust/curve/curve.js"
};
static const unsigned char file_adjust_curve_dragging_js[] = {
#embed "page/adjust/curve/dragging.js"
};
static const unsigned char file_adjust_curve_drawing_js[] = {
#embed "page/adjust/curve/drawing.js"
};
static const unsigned char file_adjust_curve_monotone_js[] = {
#embed "page/adjust/curve/monotone.js"
};
static const unsigned char file_adjust_curve_points_js[] = {
#embed "page/adjust/curve/points.js"
};
static const unsigned char file_adjust_entry_js[] = {
#embed "page/adjust/entry.js"
};
static const unsigned char file_adjust_facts_js[] = {
#embed "page/adjust/facts.js"
};
static const unsigned char file_adjust_folds_js[] = {
#embed "page/adjust/folds.js"
};
static const unsigned char file_adjust_grey_point_js[] = {
#embed "page/adjust/grey-point.js"
};
static const unsigned char file_adjust_number_js[] = {
#embed "page/adjust/number.js"
};
static const unsigned char file_adjust_numbers_js[] = {
#embed "page/adjust/numbers.js"
};
static const unsigned char file_adjust_panel_js[] = {
#embed "page/adjust/panel.js"
};
static const unsigned char file_adjust_scale_js[] = {
#embed "page/adjust/scale.js"
};
static const unsigned char file_adjust_sections_js[] = {
#embed "page/adjust/sections.js"
};
static const unsigned char file_adjust_slider_js[] = {
#embed "page/adjust/slider.js"
};
static const unsigned char file_adjust_tabs_js[] = {
#embed "page/adjust/tabs.js"
};
static const unsigned char file_adjust_tools_js[] = {
#embed "page/adjust/tools.js"
};
static const unsigned char file_adjust_value_field_js[] = {
#embed "page/adjust/value-field.js"
};
static const unsigned char file_adjust_wheels_geometry_js[] = {
#embed "page/adjust/wheels/geometry.js"
};
static const unsigned char file_adjust_wheels_wheel_js[] = {
#embed "page/adjust/wheels/wheel.js"
};
static const unsigned char file_adjust_wheels_wheels_js[] = {
#embed "page/adjust/wheels/wheels.js"
};
static const unsigned char file_bar_js[] = {
#embed "page/bar.js"
};
static const unsigned char file_camera_assist_worker_js[] = {
#embed "page/camera/assist-worker.js"
};
static const unsigned char file_camera_camera_keys_js[] = {
#embed "page/camera/camera-keys.js"
};
static const unsigned char file_camera_camera_state_js[] = {
#embed "page/camera/camera-state.js"
};
static const unsigned char file_camera_camera_js[] = {
#embed "page/camera/camera.js"
};
static const unsigned char file_camera_chrome_js[] = {
#embed "page/camera/chrome.js"
};
static const unsigned char file_camera_client_js[] = {
#embed "page/camera/client.js"
};
static const unsigned char file_camera_clip_js[] = {
#embed "page/camera/clip.js"
};
static const unsigned char file_camera_compare_js[] = {
#embed "page/camera/compare.js"
};
static const unsigned char file_camera_control_range_js[] = {
#embed "page/camera/control-range.js"
};
static const unsigned char file_camera_controls_panel_js[] = {
#embed "page/camera/controls-panel.js"
};
static const unsigned char file_camera_drawer_js[] = {
#embed "page/camera/drawer.js"
};
static const unsigned char file_camera_exposure_js[] = {
#embed "page/camera/exposure.js"
};
static const unsigned char file_camera_focus_js[] = {
#embed "page/camera/focus.js"
};
static const unsigned char file_camera_gallery_js[] = {
#embed "page/camera/gallery.js"
};
static const unsigned char file_camera_gestures_js[] = {
#embed "page/camera/gestures.js"
};
static const unsigned char file_camera_haptics_js[] = {
#embed "page/camera/haptics.js"
};
static const unsigned char file_camera_kernels_js[] = {
#embed "page/camera/kernels.js"
};
static const unsigned char file_camera_meters_js[] = {
#embed "page/camera/meters.js"
};
static const unsigned char file_camera_modes_js[] = {
#embed "page/camera/modes.js"
};
static const unsigned char file_camera_overlay_js[] = {
#embed "page/camera/overlay.js"
};
static const unsigned char file_camera_pill_geometry_js[] = {
#embed "page/camera/pill-geometry.js"
};
static const unsigned char file_camera_pixel_aids_js[] = {
#embed "page/camera/pixel-aids.js"
};
static const unsigned char file_camera_recording_js[] = {
#embed "page/camera/recording.js"
};
static const unsigned char file_camera_shots_js[] = {
#embed "page/camera/shots.js"
};
static const unsigned char file_camera_shutter_js[] = {
#embed "page/camera/shutter.js"
};
static const unsigned char file_camera_source_panel_js[] = {
#embed "page/camera/source-panel.js"
};
static const unsigned char file_camera_status_js[] = {
#embed "page/camera/status.js"
};
static const unsigned char file_camera_timing_js[] = {
#embed "page/camera/timing.js"
};
static const unsigned char file_camera_viewfinder_layout_js[] = {
#embed "page/camera/viewfinder-layout.js"
};
static const unsigned char file_camera_zoom_control_js[] = {
#embed "page/camera/zoom-control.js"
};
static const unsigned char file_camera_zoom_js[] = {
#embed "page/camera/zoom.js"
};
static const unsigned char file_core_api_js[] = {
#embed "page/core/api.js"
};
static const unsigned char file_core_binary_js[] = {
#embed "page/core/binary.js"
};
static const unsigned char file_core_clipboard_js[] = {
#embed "page/core/clipboard.js"
};
static const unsigned char file_core_clock_js[] = {
#embed "page/core/clock.js"
};
static const unsigned char file_core_dom_js[] = {
#embed "page/core/dom.js"
};
static const unsigned char file_core_editor_js[] = {
#embed "page/core/editor.js"
};
static const unsigned char file_core_edits_js[] = {
#embed "page/core/edits.js"
};
static const unsigned char file_core_icons_js[] = {
#embed "page/core/icons.js"
};
static const unsigned char file_core_keys_js[] = {
#embed "page/core/keys.js"
};
static const unsigned char file_core_line_js[] = {
#embed "page/core/line.js"
};
static const unsigned char file_core_redraw_js[] = {
#embed "page/core/redraw.js"
};
static const unsigned char file_core_screen_js[] = {
#embed "page/core/screen.js"
};
static const unsigned char file_core_session_js[] = {
#embed "page/core/session.js"
};
static const unsigned char file_core_socket_js[] = {
#embed "page/core/socket.js"
};
static const unsigned char file_core_spring_js[] = {
#embed "page/core/spring.js"
};
static const unsigned char file_core_state_js[] = {
#embed "page/core/state.js"
};
static const unsigned char file_core_steps_js[] = {
#embed "page/core/steps.js"
};
static const unsigned char file_core_store_js[] = {
#embed "page/core/store.js"
};
static const unsigned char file_core_token_js[] = {
#embed "page/core/token.js"
};
static const unsigned char file_crop_corner_overlay_js[] = {
#embed "page/crop/corner-overlay.js"
};
static const unsigned char file_crop_corner_picking_js[] = {
#embed "page/crop/corner-picking.js"
};
static const unsigned char file_crop_crop_draft_js[] = {
#embed "page/crop/crop-draft.js"
};
static const unsigned char file_crop_crop_panel_js[] = {
#embed "page/crop/crop-panel.js"
};
static const unsigned char file_crop_crop_rect_js[] = {
#embed "page/crop/crop-rect.js"
};
static const unsigned char file_crop_crop_text_js[] = {
#embed "page/crop/crop-text.js"
};
static const unsigned char file_crop_crop_tool_js[] = {
#embed "page/crop/crop-tool.js"
};
static const unsigned char file_crop_dial_js[] = {
#embed "page/crop/dial.js"
};
static const unsigned char file_crop_keystone_js[] = {
#embed "page/crop/keystone.js"
};
static const unsigned char file_crop_lens_panel_js[] = {
#embed "page/crop/lens-panel.js"
};
static const unsigned char file_crop_orientation_js[] = {
#embed "page/crop/orientation.js"
};
static const unsigned char file_crop_overlay_js[] = {
#embed "page/crop/overlay.js"
};
static const unsigned char file_crop_perspective_panel_js[] = {
#embed "page/crop/perspective-panel.js"
};
static const unsigned char file_crop_perspective_js[] = {
#embed "page/crop/perspective.js"
};
static const unsigned char file_crop_straightened_js[] = {
#embed "page/crop/straightened.js"
};
static const unsigned char file_crop_warp_note_js[] = {
#embed "page/crop/warp-note.js"
};
static const unsigned char file_crop_warp_js[] = {
#embed "page/crop/warp.js"
};
static const unsigned char file_film_filmstrip_js[] = {
#embed "page/film/filmstrip.js"
};
static const unsigned char file_film_thumbnails_js[] = {
#embed "page/film/thumbnails.js"
};
static const unsigned char file_film_visible_js[] = {
#embed "page/film/visible.js"
};
static const unsigned char file_icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char file_index_html[] = {
#embed "page/index.html"
};
static const unsigned char file_library_bar_controls_js[] = {
#embed "page/library/bar-controls.js"
};
static const unsigned char file_library_cell_js[] = {
#embed "page/library/cell.js"
};
static const unsigned char file_library_compare_js[] = {
#embed "page/library/compare.js"
};
static const unsigned char file_library_filter_bar_js[] = {
#embed "page/library/filter-bar.js"
};
static const unsigned char file_library_filter_js[] = {
#embed "page/library/filter.js"
};
static const unsigned char file_library_flights_js[] = {
#embed "page/library/flights.js"
};
static const unsigned char file_library_grid_pointer_js[] = {
#embed "page/library/grid-pointer.js"
};
static const unsigned char file_library_grid_js[] = {
#embed "page/library/grid.js"
};
static const unsigned char file_library_hero_js[] = {
#embed "page/library/hero.js"
};
static const unsigned char file_library_job_chip_js[] = {
#embed "page/library/job-chip.js"
};
static const unsigned char file_library_jobs_js[] = {
#embed "page/library/jobs.js"
};
static const unsigned char file_library_keys_js[] = {
#embed "page/library/keys.js"
};
static const unsigned char file_library_layout_js[] = {
#embed "page/library/layout.js"
};
static const unsigned char file_library_library_js[] = {
#embed "page/library/library.js"
};
static const unsigned char file_library_mark_control_js[] = {
#embed "page/library/mark-control.js"
};
static const unsigned char file_library_marks_js[] = {
#embed "page/library/marks.js"
};
static const unsigned char file_library_notices_js[] = {
#embed "page/library/notices.js"
};
static const unsigned char file_library_pane_js[] = {
#embed "page/library/pane.js"
};
static const unsigned char file_library_paste_sheet_js[] = {
#embed "page/library/paste-sheet.js"
};
static const unsigned char file_library_pictures_js[] = {
#embed "page/library/pictures.js"
};
static const unsigned char file_library_rooms_js[] = {
#embed "page/library/rooms.js"
};
static const unsigned char file_library_selection_js[] = {
#embed "page/library/selection.js"
};
static const unsigned char file_library_shown_js[] = {
#embed "page/library/shown.js"
};
static const unsigned char file_library_sight_js[] = {
#embed "page/library/sight.js"
};
static const unsigned char file_looks_drop_js[] = {
#embed "page/looks/drop.js"
};
static const unsigned char file_looks_looks_js[] = {
#embed "page/looks/looks.js"
};
static const unsigned char file_looks_own_looks_js[] = {
#embed "page/looks/own-looks.js"
};
static const unsigned char file_main_js[] = {
#embed "page/main.js"
};
static const unsigned char file_masks_blur_js[] = {
#embed "page/masks/blur.js"
};
static const unsigned char file_masks_brush_raster_js[] = {
#embed "page/masks/brush-raster.js"
};
static const unsigned char file_masks_brush_js[] = {
#embed "page/masks/brush.js"
};
static const unsigned char file_masks_field_js[] = {
#embed "page/masks/field.js"
};
static const unsigned char file_masks_filters_js[] = {
#embed "page/masks/filters.js"
};
static const unsigned char file_masks_grid_js[] = {
#embed "page/masks/grid.js"
};
static const unsigned char file_masks_groups_js[] = {
#embed "page/masks/groups.js"
};
static const unsigned char file_masks_handle_sets_js[] = {
#embed "page/masks/handle-sets.js"
};
static const unsigned char file_masks_handles_js[] = {
#embed "page/masks/handles.js"
};
static const unsigned char file_masks_lens_warp_js[] = {
#embed "page/masks/lens-warp.js"
};
static const unsigned char file_masks_list_js[] = {
#embed "page/masks/list.js"
};
static const unsigned char file_masks_masks_tool_js[] = {
#embed "page/masks/masks-tool.js"
};
static const unsigned char file_masks_masks_js[] = {
#embed "page/masks/masks.js"
};
static const unsigned char file_masks_options_js[] = {
#embed "page/masks/options.js"
};
static const unsigned char file_masks_panel_js[] = {
#embed "page/masks/panel.js"
};
static const unsigned char file_masks_parts_js[] = {
#embed "page/masks/parts.js"
};
static const unsigned char file_masks_place_js[] = {
#embed "page/masks/place.js"
};
static const unsigned char file_masks_projection_js[] = {
#embed "page/masks/projection.js"
};
static const unsigned char file_masks_ramp_js[] = {
#embed "page/masks/ramp.js"
};
static const unsigned char file_masks_raster_js[] = {
#embed "page/masks/raster.js"
};
static const unsigned char file_masks_shapes_js[] = {
#embed "page/masks/shapes.js"
};
static const unsigned char file_masks_stroke_js[] = {
#embed "page/masks/stroke.js"
};
static const unsigned char file_masks_tree_js[] = {
#embed "page/masks/tree.js"
};
static const unsigned char file_masks_veil_js[] = {
#embed "page/masks/veil.js"
};
static const unsigned char file_masks_view_js[] = {
#embed "page/masks/view.js"
};
static const unsigned char file_scopes_counts_js[] = {
#embed "page/scopes/counts.js"
};
static const unsigned char file_scopes_drawing_js[] = {
#embed "page/scopes/drawing.js"
};
static const unsigned char file_scopes_histogram_js[] = {
#embed "page/scopes/histogram.js"
};
static const unsigned char file_scopes_lightness_js[] = {
#embed "page/scopes/lightness.js"
};
static const unsigned char file_scopes_scopes_js[] = {
#embed "page/scopes/scopes.js"
};
static const unsigned char file_screens_js[] = {
#embed "page/screens.js"
};
static const unsigned char file_sheets_copy_button_js[] = {
#embed "page/sheets/copy-button.js"
};
static const unsigned char file_sheets_export_result_js[] = {
#embed "page/sheets/export-result.js"
};
static const unsigned char file_sheets_export_sheet_js[] = {
#embed "page/sheets/export-sheet.js"
};
static const unsigned char file_sheets_keys_sheet_js[] = {
#embed "page/sheets/keys-sheet.js"
};
static const unsigned char file_sheets_menu_js[] = {
#embed "page/sheets/menu.js"
};
static const unsigned char file_sheets_sheet_js[] = {
#embed "page/sheets/sheet.js"
};
static const unsigned char file_shortcuts_js[] = {
#embed "page/shortcuts.js"
};
static const unsigned char file_stage_ahead_js[] = {
#embed "page/stage/ahead.js"
};
static const unsigned char file_stage_compare_js[] = {
#embed "page/stage/compare.js"
};
static const unsigned char file_stage_early_js[] = {
#embed "page/stage/early.js"
};
static const unsigned char file_stage_first_picture_js[] = {
#embed "page/stage/first-picture.js"
};
static const unsigned char file_stage_frames_js[] = {
#embed "page/stage/frames.js"
};
static const unsigned char file_stage_gestures_js[] = {
#embed "page/stage/gestures.js"
};
static const unsigned char file_stage_hud_js[] = {
#embed "page/stage/hud.js"
};
static const unsigned char file_stage_loading_js[] = {
#embed "page/stage/loading.js"
};
static const unsigned char file_stage_motion_js[] = {
#embed "page/stage/motion.js"
};
static const unsigned char file_stage_painter_js[] = {
#embed "page/stage/painter.js"
};
static const unsigned char file_stage_proof_js[] = {
#embed "page/stage/proof.js"
};
static const unsigned char file_stage_readout_js[] = {
#embed "page/stage/readout.js"
};
static const unsigned char file_stage_slide_js[] = {
#embed "page/stage/slide.js"
};
static const unsigned char file_stage_stage_js[] = {
#embed "page/stage/stage.js"
};
static const unsigned char file_stage_viewport_js[] = {
#embed "page/stage/viewport.js"
};
static const unsigned char file_start_js[] = {
#embed "page/start.js"
};
static const unsigned char file_style_base_css[] = {
#embed "page/style/base.css"
};
static const unsigned char file_style_camera_panels_css[] = {
#embed "page/style/camera-panels.css"
};
static const unsigned char file_style_camera_css[] = {
#embed "page/style/camera.css"
};
static const unsigned char file_style_controls_css[] = {
#embed "page/style/controls.css"
};
static const unsigned char file_style_crop_css[] = {
#embed "page/style/crop.css"
};
static const unsigned char file_style_layout_css[] = {
#embed "page/style/layout.css"
};
static const unsigned char file_style_library_css[] = {
#embed "page/style/library.css"
};
static const unsigned char file_style_marks_css[] = {
#embed "page/style/marks.css"
};
static const unsigned char file_style_masks_css[] = {
#embed "page/style/masks.css"
};
static const unsigned char file_style_sheets_css[] = {
#embed "page/style/sheets.css"
};
static const unsigned char file_style_slider_css[] = {
#embed "page/style/slider.css"
};
static const unsigned char file_style_stage_css[] = {
#embed "page/style/stage.css"
};
static const unsigned char file_style_strips_css[] = {
#embed "page/style/strips.css"
};
static const unsigned char file_style_tools_css[] = {
#embed "page/style/tools.css"
};
static const studio_file files[] = {
    {"adjust/auto.js", file_adjust_auto_js, sizeof file_adjust_auto_js},
    {"adjust/bands/bands.js", file_adjust_bands_bands_js, sizeof file_adjust_bands_bands_js},
    {"adjust/bands/colours.js", file_adjust_bands_colours_js, sizeof file_adjust_bands_colours_js},
    {"adjust/bands/pick.js", file_adjust_bands_pick_js, sizeof file_adjust_bands_pick_js},
    {"adjust/control.js", file_adjust_control_js, sizeof file_adjust_control_js},
    {"adjust/curve/curve.js", file_adjust_curve_curve_js, sizeof file_adjust_curve_curve_js},
    {"adjust/curve/dragging.js", file_adjust_curve_dragging_js, sizeof file_adjust_curve_dragging_js},
    {"adjust/curve/drawing.js", file_adjust_curve_drawing_js, sizeof file_adjust_curve_drawing_js},
    {"adjust/curve/monotone.js", file_adjust_curve_monotone_js, sizeof file_adjust_curve_monotone_js},
    {"adjust/curve/points.js", file_adjust_curve_points_js, sizeof file_adjust_curve_points_js},
    {"adjust/entry.js", file_adjust_entry_js, sizeof file_adjust_entry_js},
    {"adjust/facts.js", file_adjust_facts_js, sizeof file_adjust_facts_js},
    {"adjust/folds.js", file_adjust_folds_js, sizeof file_adjust_folds_js},
    {"adjust/grey-point.js", file_adjust_grey_point_js, sizeof file_adjust_grey_point_js},
    {"adjust/number.js", file_adjust_number_js, sizeof file_adjust_number_js},
    {"adjust/numbers.js", file_adjust_numbers_js, sizeof file_adjust_numbers_js},
    {"adjust/panel.js", file_adjust_panel_js, sizeof file_adjust_panel_js},
    {"adjust/scale.js", file_adjust_scale_js, sizeof file_adjust_scale_js},
    {"adjust/sections.js", file_adjust_sections_js, sizeof file_adjust_sections_js},
    {"adjust/slider.js", file_adjust_slider_js, sizeof file_adjust_slider_js},
    {"adjust/tabs.js", file_adjust_tabs_js, sizeof file_adjust_tabs_js},
    {"adjust/tools.js", file_adjust_tools_js, sizeof file_adjust_tools_js},
    {"adjust/value-field.js", file_adjust_value_field_js, sizeof file_adjust_value_field_js},
    {"adjust/wheels/geometry.js", file_adjust_wheels_geometry_js, sizeof file_adjust_wheels_geometry_js},
    {"adjust/wheels/wheel.js", file_adjust_wheels_wheel_js, sizeof file_adjust_wheels_wheel_js},
    {"adjust/wheels/wheels.js", file_adjust_wheels_wheels_js, sizeof file_adjust_wheels_wheels_js},
    {"bar.js", file_bar_js, sizeof file_bar_js},
    {"camera/assist-worker.js", file_camera_assist_worker_js, sizeof file_camera_assist_worker_js},
    {"camera/camera-keys.js", file_camera_camera_keys_js, sizeof file_camera_camera_keys_js},
    {"camera/camera-state.js", file_camera_camera_state_js, sizeof file_camera_camera_state_js},
    {"camera/camera.js", file_camera_camera_js, sizeof file_camera_camera_js},
    {"camera/chrome.js", file_camera_chrome_js, sizeof file_camera_chrome_js},
    {"camera/client.js", file_camera_client_js, sizeof file_camera_client_js},
    {"camera/clip.js", file_camera_clip_js, sizeof file_camera_clip_js},
    {"camera/compare.js", file_camera_compare_js, sizeof file_camera_compare_js},
    {"camera/control-range.js", file_camera_control_range_js, sizeof file_camera_control_range_js},
    {"camera/controls-panel.js", file_camera_controls_panel_js, sizeof file_camera_controls_panel_js},
    {"camera/drawer.js", file_camera_drawer_js, sizeof file_camera_drawer_js},
    {"camera/exposure.js", file_camera_exposure_js, sizeof file_camera_exposure_js},
    {"camera/focus.js", file_camera_focus_js, sizeof file_camera_focus_js},
    {"camera/gallery.js", file_camera_gallery_js, sizeof file_camera_gallery_js},
    {"camera/gestures.js", file_camera_gestures_js, sizeof file_camera_gestures_js},
    {"camera/haptics.js", file_camera_haptics_js, sizeof file_camera_haptics_js},
    {"camera/kernels.js", file_camera_kernels_js, sizeof file_camera_kernels_js},
    {"camera/meters.js", file_camera_meters_js, sizeof file_camera_meters_js},
    {"camera/modes.js", file_camera_modes_js, sizeof file_camera_modes_js},
    {"camera/overlay.js", file_camera_overlay_js, sizeof file_camera_overlay_js},
    {"camera/pill-geometry.js", file_camera_pill_geometry_js, sizeof file_camera_pill_geometry_js},
    {"camera/pixel-aids.js", file_camera_pixel_aids_js, sizeof file_camera_pixel_aids_js},
    {"camera/recording.js", file_camera_recording_js, sizeof file_camera_recording_js},
    {"camera/shots.js", file_camera_shots_js, sizeof file_camera_shots_js},
    {"camera/shutter.js", file_camera_shutter_js, sizeof file_camera_shutter_js},
    {"camera/source-panel.js", file_camera_source_panel_js, sizeof file_camera_source_panel_js},
    {"camera/status.js", file_camera_status_js, sizeof file_camera_status_js},
    {"camera/timing.js", file_camera_timing_js, sizeof file_camera_timing_js},
    {"camera/viewfinder-layout.js", file_camera_viewfinder_layout_js,
     sizeof file_camera_viewfinder_layout_js},
    {"camera/zoom-control.js", file_camera_zoom_control_js, sizeof file_camera_zoom_control_js},
    {"camera/zoom.js", file_camera_zoom_js, sizeof file_camera_zoom_js},
    {"core/api.js", file_core_api_js, sizeof file_core_api_js},
    {"core/binary.js", file_core_binary_js, sizeof file_core_binary_js},
    {"core/clipboard.js", file_core_clipboard_js, sizeof file_core_clipboard_js},
    {"core/clock.js", file_core_clock_js, sizeof file_core_clock_js},
    {"core/dom.js", file_core_dom_js, sizeof file_core_dom_js},
    {"core/editor.js", file_core_editor_js, sizeof file_core_editor_js},
    {"core/edits.js", file_core_edits_js, sizeof file_core_edits_js},
    {"core/icons.js", file_core_icons_js, sizeof file_core_icons_js},
    {"core/keys.js", file_core_keys_js, sizeof file_core_keys_js},
    {"core/line.js", file_core_line_js, sizeof file_core_line_js},
    {"core/redraw.js", file_core_redraw_js, sizeof file_core_redraw_js},
    {"core/screen.js", file_core_screen_js, sizeof file_core_screen_js},
    {"core/session.js", file_core_session_js, sizeof file_core_session_js},
    {"core/socket.js", file_core_socket_js, sizeof file_core_socket_js},
    {"core/spring.js", file_core_spring_js, sizeof file_core_spring_js},
    {"core/state.js", file_core_state_js, sizeof file_core_state_js},
    {"core/steps.js", file_core_steps_js, sizeof file_core_steps_js},
    {"core/store.js", file_core_store_js, sizeof file_core_store_js},
    {"core/token.js", file_core_token_js, sizeof file_core_token_js},
    {"crop/corner-overlay.js", file_crop_corner_overlay_js, sizeof file_crop_corner_overlay_js},
    {"crop/corner-picking.js", file_crop_corner_picking_js, sizeof file_crop_corner_picking_js},
    {"crop/crop-draft.js", file_crop_crop_draft_js, sizeof file_crop_crop_draft_js},
    {"crop/crop-panel.js", file_crop_crop_panel_js, sizeof file_crop_crop_panel_js},
    {"crop/crop-rect.js", file_crop_crop_rect_js, sizeof file_crop_crop_rect_js},
    {"crop/crop-text.js", file_crop_crop_text_js, sizeof file_crop_crop_text_js},
    {"crop/crop-tool.js", file_crop_crop_tool_js, sizeof file_crop_crop_tool_js},
    {"crop/dial.js", file_crop_dial_js, sizeof file_crop_dial_js},
    {"crop/keystone.js", file_crop_keystone_js, sizeof file_crop_keystone_js},
    {"crop/lens-panel.js", file_crop_lens_panel_js, sizeof file_crop_lens_panel_js},
    {"crop/orientation.js", file_crop_orientation_js, sizeof file_crop_orientation_js},
    {"crop/overlay.js", file_crop_overlay_js, sizeof file_crop_overlay_js},
    {"crop/perspective-panel.js", file_crop_perspective_panel_js, sizeof file_crop_perspective_panel_js},
    {"crop/perspective.js", file_crop_perspective_js, sizeof file_crop_perspective_js},
    {"crop/straightened.js", file_crop_straightened_js, sizeof file_crop_straightened_js},
    {"crop/warp-note.js", file_crop_warp_note_js, sizeof file_crop_warp_note_js},
    {"crop/warp.js", file_crop_warp_js, sizeof file_crop_warp_js},
    {"film/filmstrip.js", file_film_filmstrip_js, sizeof file_film_filmstrip_js},
    {"film/thumbnails.js", file_film_thumbnails_js, sizeof file_film_thumbnails_js},
    {"film/visible.js", file_film_visible_js, sizeof file_film_visible_js},
    {"icon.svg", file_icon_svg, sizeof file_icon_svg},
    {"index.html", file_index_html, sizeof file_index_html},
    {"library/bar-controls.js", file_library_bar_controls_js, sizeof file_library_bar_controls_js},
    {"library/cell.js", file_library_cell_js, sizeof file_library_cell_js},
    {"library/compare.js", file_library_compare_js, sizeof file_library_compare_js},
    {"library/filter-bar.js", file_library_filter_bar_js, sizeof file_library_filter_bar_js},
    {"library/filter.js", file_library_filter_js, sizeof file_library_filter_js},
    {"library/flights.js", file_library_flights_js, sizeof file_library_flights_js},
    {"library/grid-pointer.js", file_library_grid_pointer_js, sizeof file_library_grid_pointer_js},
    {"library/grid.js", file_library_grid_js, sizeof file_library_grid_js},
    {"library/hero.js", file_library_hero_js, sizeof file_library_hero_js},
    {"library/job-chip.js", file_library_job_chip_js, sizeof file_library_job_chip_js},
    {"library/jobs.js", file_library_jobs_js, sizeof file_library_jobs_js},
    {"library/keys.js", file_library_keys_js, sizeof file_library_keys_js},
    {"library/layout.js", file_library_layout_js, sizeof file_library_layout_js},
    {"library/library.js", file_library_library_js, sizeof file_library_library_js},
    {"library/mark-control.js", file_library_mark_control_js, sizeof file_library_mark_control_js},
    {"library/marks.js", file_library_marks_js, sizeof file_library_marks_js},
    {"library/notices.js", file_library_notices_js, sizeof file_library_notices_js},
    {"library/pane.js", file_library_pane_js, sizeof file_library_pane_js},
    {"library/paste-sheet.js", file_library_paste_sheet_js, sizeof file_library_paste_sheet_js},
    {"library/pictures.js", file_library_pictures_js, sizeof file_library_pictures_js},
    {"library/rooms.js", file_library_rooms_js, sizeof file_library_rooms_js},
    {"library/selection.js", file_library_selection_js, sizeof file_library_selection_js},
    {"library/shown.js", file_library_shown_js, sizeof file_library_shown_js},
    {"library/sight.js", file_library_sight_js, sizeof file_library_sight_js},
    {"looks/drop.js", file_looks_drop_js, sizeof file_looks_drop_js},
    {"looks/looks.js", file_looks_looks_js, sizeof file_looks_looks_js},
    {"looks/own-looks.js", file_looks_own_looks_js, sizeof file_looks_own_looks_js},
    {"main.js", file_main_js, sizeof file_main_js},
    {"masks/blur.js", file_masks_blur_js, sizeof file_masks_blur_js},
    {"masks/brush-raster.js", file_masks_brush_raster_js, sizeof file_masks_brush_raster_js},
    {"masks/brush.js", file_masks_brush_js, sizeof file_masks_brush_js},
    {"masks/field.js", file_masks_field_js, sizeof file_masks_field_js},
    {"masks/filters.js", file_masks_filters_js, sizeof file_masks_filters_js},
    {"masks/grid.js", file_masks_grid_js, sizeof file_masks_grid_js},
    {"masks/groups.js", file_masks_groups_js, sizeof file_masks_groups_js},
    {"masks/handle-sets.js", file_masks_handle_sets_js, sizeof file_masks_handle_sets_js},
    {"masks/handles.js", file_masks_handles_js, sizeof file_masks_handles_js},
    {"masks/lens-warp.js", file_masks_lens_warp_js, sizeof file_masks_lens_warp_js},
    {"masks/list.js", file_masks_list_js, sizeof file_masks_list_js},
    {"masks/masks-tool.js", file_masks_masks_tool_js, sizeof file_masks_masks_tool_js},
    {"masks/masks.js", file_masks_masks_js, sizeof file_masks_masks_js},
    {"masks/options.js", file_masks_options_js, sizeof file_masks_options_js},
    {"masks/panel.js", file_masks_panel_js, sizeof file_masks_panel_js},
    {"masks/parts.js", file_masks_parts_js, sizeof file_masks_parts_js},
    {"masks/place.js", file_masks_place_js, sizeof file_masks_place_js},
    {"masks/projection.js", file_masks_projection_js, sizeof file_masks_projection_js},
    {"masks/ramp.js", file_masks_ramp_js, sizeof file_masks_ramp_js},
    {"masks/raster.js", file_masks_raster_js, sizeof file_masks_raster_js},
    {"masks/shapes.js", file_masks_shapes_js, sizeof file_masks_shapes_js},
    {"masks/stroke.js", file_masks_stroke_js, sizeof file_masks_stroke_js},
    {"masks/tree.js", file_masks_tree_js, sizeof file_masks_tree_js},
    {"masks/veil.js", file_masks_veil_js, sizeof file_masks_veil_js},
    {"masks/view.js", file_masks_view_js, sizeof file_masks_view_js},
    {"scopes/counts.js", file_scopes_counts_js, sizeof file_scopes_counts_js},
    {"scopes/drawing.js", file_scopes_drawing_js, sizeof file_scopes_drawing_js},
    {"scopes/histogram.js", file_scopes_histogram_js, sizeof file_scopes_histogram_js},
    {"scopes/lightness.js", file_scopes_lightness_js, sizeof file_scopes_lightness_js},
    {"scopes/scopes.js", file_scopes_scopes_js, sizeof file_scopes_scopes_js},
    {"screens.js", file_screens_js, sizeof file_screens_js},
    {"sheets/copy-button.js", file_sheets_copy_button_js, sizeof file_sheets_copy_button_js},
    {"sheets/export-result.js", file_sheets_export_result_js, sizeof file_sheets_export_result_js},
    {"sheets/export-sheet.js", file_sheets_export_sheet_js, sizeof file_sheets_export_sheet_js},
    {"sheets/keys-sheet.js", file_sheets_keys_sheet_js, sizeof file_sheets_keys_sheet_js},
    {"sheets/menu.js", file_sheets_menu_js, sizeof file_sheets_menu_js},
    {"sheets/sheet.js", file_sheets_sheet_js, sizeof file_sheets_sheet_js},
    {"shortcuts.js", file_shortcuts_js, sizeof file_shortcuts_js},
    {"stage/ahead.js", file_stage_ahead_js, sizeof file_stage_ahead_js},
    {"stage/compare.js", file_stage_compare_js, sizeof file_stage_compare_js},
    {"stage/early.js", file_stage_early_js, sizeof file_stage_early_js},
    {"stage/first-picture.js", file_stage_first_picture_js, sizeof file_stage_first_picture_js},
    {"stage/frames.js", file_stage_frames_js, sizeof file_stage_frames_js},
    {"stage/gestures.js", file_stage_gestures_js, sizeof file_stage_gestures_js},
    {"stage/hud.js", file_stage_hud_js, sizeof file_stage_hud_js},
    {"stage/loading.js", file_stage_loading_js, sizeof file_stage_loading_js},
    {"stage/motion.js", file_stage_motion_js, sizeof file_stage_motion_js},
    {"stage/painter.js", file_stage_painter_js, sizeof file_stage_painter_js},
    {"stage/proof.js", file_stage_proof_js, sizeof file_stage_proof_js},
    {"stage/readout.js", file_stage_readout_js, sizeof file_stage_readout_js},
    {"stage/slide.js", file_stage_slide_js, sizeof file_stage_slide_js},
    {"stage/stage.js", file_stage_stage_js, sizeof file_stage_stage_js},
    {"stage/viewport.js", file_stage_viewport_js, sizeof file_stage_viewport_js},
    {"start.js", file_start_js, sizeof file_start_js},
    {"style/base.css", file_style_base_css, sizeof file_style_base_css},
    {"style/camera-panels.css", file_style_camera_panels_css, sizeof file_style_camera_panels_css},
    {"style/camera.css", file_style_camera_css, sizeof file_style_camera_css},
    {"style/controls.css", file_style_controls_css, sizeof file_style_controls_css},
    {"style/crop.css", file_style_crop_css, sizeof file_style_crop_css},
    {"style/layout.css", file_style_layout_css, sizeof file_style_layout_css},
    {"style/library.css", file_style_library_css, sizeof file_style_library_css},
    {"style/marks.css", file_style_marks_css, sizeof file_style_marks_css},
    {"style/masks.css", file_style_masks_css, sizeof file_style_masks_css},
    {"style/sheets.css", file_style_sheets_css, sizeof file_style_sheets_css},
    {"style/slider.css", file_style_slider_css, sizeof file_style_slider_css},
    {"style/stage.css", file_style_stage_css, sizeof file_style_stage_css},
    {"style/strips.css", file_style_strips_css, sizeof file_style_strips_css},
    {"style/tools.css", file_style_tools_css, sizeof file_style_tools_css},
};
size_t studio_file_count(void) { return sizeof files / sizeof *files; }
const studio_file *studio_file_at(size_t index) { return &files[index]; }
